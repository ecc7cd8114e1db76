// Small helpers that make generated code short enough to read. Only generated code includes this header.
#pragma once

#include <tla/generated/checked.hpp>
#include <tla/generated/gathered.hpp>
#include <tla/generated/integers.hpp>
#include <tla/generated/ranges.hpp>
#include <tla/generated/stages.hpp>
#include <tla/runtime/algorithm.hpp>

#include <initializer_list>

namespace tla::runtime {

// Always inline: also in a long function, which is not optimized.
[[gnu::always_inline]] inline TileAccess read(TileTable &A, int i, int j, Region region = Region::Full) {
  return {&A, i, j, Access::Read, region};
}
[[gnu::always_inline]] inline TileAccess readWrite(TileTable &A, int i, int j, Region region = Region::Full) {
  return {&A, i, j, Access::ReadWrite, region};
}
[[gnu::always_inline]] inline TileAccess write(TileTable &A, int i, int j, Region region = Region::Full) {
  return {&A, i, j, Access::Write, region};
}

/// APPEND with the loop variables that the kernel call needs and the tiles it touches.
[[gnu::always_inline]] inline void append(Generator &generator, const TaskClass &taskClass, int priority,
                                          std::initializer_list<int> indices,
                                          std::initializer_list<TileAccess> accesses) {
  generator.append({taskClass, priority, indices.begin(), static_cast<int>(indices.size()), accesses.begin(),
                    static_cast<int>(accesses.size())});
}
[[gnu::always_inline]] inline void append(Generator &generator, const TaskClass &taskClass, int priority,
                                          std::initializer_list<int> indices, const AccessList &accesses) {
  generator.append(
      {taskClass, priority, indices.begin(), static_cast<int>(indices.size()), accesses.data(), accesses.size()});
}

/// A scalar argument as the type that the source asks for: int and enumerations, real and complex numbers.
template <typename Value> Value scalar(const ScalarValue &value) {
  if constexpr (isComplex<Value>)
    return Value(static_cast<RealType<Value>>(value.real), static_cast<RealType<Value>>(value.imag));
  else if constexpr (__is_enum(Value) || __is_same(Value, int))
    return static_cast<Value>(value.integer);
  else
    return static_cast<Value>(value.real);
}

/// Converts a value of the source's type to a scalar argument.
template <typename Value> ScalarValue scalarValue(const Value &value) {
  if constexpr (isComplex<Value>)
    return {0, static_cast<double>(value.real()), static_cast<double>(value.imag())};
  else if constexpr (__is_enum(Value) || __is_same(Value, int))
    return {static_cast<long>(value), 0, 0};
  else
    return {0, static_cast<double>(value), 0};
}

/// Fills a block with the values of a function of the position.
template <typename T, typename Function> void fillBlock(const Block &block, unsigned long seed, Function &&element) {
  for (int j = 0; j < block.n; ++j) {
    T *const column = static_cast<T *>(block.elements) + static_cast<long>(j) * block.ld;
    for (int i = 0; i < block.m; ++i)
      column[i] = element(block.row + i, block.column + j, seed);
  }
}

/// Rows and columns as reals: flop counts overflow int.
struct TileSize {
  double rows, cols;
  double m() const { return rows; }
  double n() const { return cols; }
};
template <typename T> TileSize sizeOf(const ConstTile<T> &tile) {
  return {static_cast<double>(tile.m()), static_cast<double>(tile.n())};
}
template <typename T> TileSize sizeOf(const ConstPanel<T> &panel) {
  return {static_cast<double>(panel.m()), static_cast<double>(panel.n())};
}

/// A tile of this size at the place of `tile`, to ask for sizes of its parts; and one of the size of the transpose.
template <typename T> Tile<T> shape(const Tile<T> &tile, const TileSize &size) {
  const int rows = static_cast<int>(size.rows);
  return {tile.data(), rows, static_cast<int>(size.cols), rows > 0 ? rows : 1};
}
template <typename T> Tile<T> transposedShape(const Tile<T> &tile, const TileSize &size) {
  return shape<T>(tile, {size.cols, size.rows});
}

/// The size of a panel of `rows` tiles (1: a single tile) that would be gathered from the slices at accesses first,
/// first + 1, ..., without gathering it.
inline TileSize gatheredSize(const TaskView &task, int first, int rows, int slices) {
  TileSize size{0, 0};
  for (int r = 0; r < rows; ++r)
    size.rows += task.tile<char>(first + r * slices).m();
  for (int d = 0; rows > 0 && d < slices; ++d)
    size.cols += task.tile<char>(first + d).n();
  return size;
}

/// The sizes of a matrix that does not exist yet, from which a workspace's size is computed.
struct Extents {
  long rows, cols, tile;
  Period period;
  long m() const { return rows; }
  long n() const { return cols; }
  long mt() const { return rows <= 0 ? 0 : (rows - 1) / tile + 1; }
  long nt() const { return cols <= 0 ? 0 : (cols - 1) / tile + 1; }
  long mb() const { return tile; }
  long nb() const { return tile; }
  long p() const { return max(1, period.rows); }
  long q() const { return max(1, period.columns); }
};

} // namespace tla::runtime
