// What a program takes from the caller's matrices, and what it leaves there: the I and O of bounds on communication.
#pragma once

#include "runtime/core/window/halves.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Finds a program's inputs and outputs from all tasks in program order. A tile's content is an input if its first task
/// reads it, and an output if any task writes it. Elements of a triangular matrix beyond its diagonal are neither.
class InputsOutputs {
public:
  /// The tiles must exist.
  void append(const TileAccess *accesses, int accessCount) {
    for (int i = 0; i < accessCount; ++i)
      if (!accesses[i].matrix->workspace())
        note(accesses[i]);
  }
  std::uint64_t inputBytes() const { return bytes(&History::input); }
  std::uint64_t outputBytes() const { return bytes(&History::output); }

private:
  /// The accesses to a half of a tile so far.
  struct History {
    bool known = false, input = false, output = false;
  };
  struct Matrix {
    const TileTable *table = nullptr;
    std::vector<History> halves; // Halves::index
  };

  void note(const TileAccess &access) {
    const std::size_t number = access.matrix->number();
    if (matrices_.size() <= number)
      matrices_.resize(number + 1);
    Matrix &matrix = matrices_[number];
    if (!matrix.table)
      matrix = {access.matrix, std::vector<History>(Halves::count(*access.matrix))};
    History *const tile = &matrix.halves[Halves::index(access.tile(), 0)];
    if (access.region != Region::Upper)
      note(tile[0], access.access);
    if (access.region != Region::Lower)
      note(tile[1], access.access);
  }
  static void note(History &half, Access access) {
    half.input |= !half.known && access != Access::Write;
    half.output |= access != Access::Read;
    half.known = true;
  }

  std::uint64_t bytes(bool History::*flag) const {
    std::uint64_t sum = 0;
    for (const Matrix &matrix : matrices_) {
      if (!matrix.table)
        continue;
      const Storage &storage = matrix.table->storage();
      for (int column = 0; column < storage.ns(); ++column)
        for (int row = 0; row < storage.mt(); ++row) {
          const History *const tile = &matrix.halves[2 * (row + static_cast<std::size_t>(column) * storage.mt())];
          sum += elements(storage, row, column, tile[0].*flag, tile[1].*flag) * storage.elementBytes();
        }
    }
    return sum;
  }
  /// The number of elements in parts of the slice: those strictly below the diagonal of its tile, the others, or all.
  static std::uint64_t elements(const Storage &storage, int row, int column, bool below, bool others) {
    const bool diagonal = row == storage.tileColumn(column), lower = diagonal && storage.shape() == Shape::Lower;
    below &= !(diagonal && storage.shape() == Shape::Upper);
    const std::uint64_t rows = storage.tileRows(row), columns = storage.sliceCols(column),
                        first = storage.sliceOffset(column);
    std::uint64_t sum = 0;
    for (std::uint64_t j = first; j < first + columns && (below || others); ++j) {
      const std::uint64_t above = std::min(rows, j + 1), onDiagonal = j < rows ? 1 : 0; // its own diagonal included
      sum += (below ? rows - above : 0) + (others ? (lower ? onDiagonal : above) : 0);
    }
    return sum;
  }

  std::vector<Matrix> matrices_; // by number
};

} // namespace tla::runtime
