// What generated code checks where the compiler has no proof: that the arguments of a kernel fit together, that what it
// writes is not another argument as well, and that loops end. Only generated code includes this header.
#pragma once

#include <tla/storage.hpp>
#include <tla/tile.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace tla::runtime {

//
// Loops
//

/// Where a loop stands and what it says, for messages: all text is static.
struct LoopText {
  const char *place;    ///< "sor.tla:12"
  const char *variable; ///< "j"
  const char *step;     ///< "j += step"
};

/// A scalar parameter in the step of a loop, as the user can set it; a list of them ends with a null name.
struct NamedValue {
  const char *name;
  long value;
};

/// Throws UsageError: "step = 0 (sor.tla:12: j += step): the loop over j would not end; --set step=1 or larger".
/// `remedy` may be empty.
[[noreturn]] void failStep(const LoopText &loop, std::initializer_list<NamedValue> scalars, const char *remedy);

/// Throws UsageError: "the loop over j does not end: j += i takes it from 3 to 3 (sor.tla:12)".
[[noreturn]] void failProgress(const LoopText &loop, long value, long next);

/// The next value of a loop's variable, which is further on in the loop's direction (1: up, -1: down) and an int.
inline int advance(const LoopText &loop, int direction, int value, long next) {
  if ((direction > 0 ? next <= value : next >= value) || next > INT_MAX || next < INT_MIN) [[unlikely]]
    failProgress(loop, value, next);
  return static_cast<int>(next);
}
/// advance() for a loop whose first step says which direction it has; `direction` is 0 before that step, which sets it.
inline int advanceEither(const LoopText &loop, int &direction, int value, long next) {
  if (direction == 0)
    direction = next > value ? 1 : -1;
  return advance(loop, direction, value, next);
}

//
// Arguments of kernels
//

/// An argument that a requirement speaks of, for messages: a tile of m x n elements, or a scalar.
struct SeenArgument {
  const char *parameter; ///< "A"
  const char *tile;      ///< "W(i, k)" as the program has it, empty of a whole matrix; null: a scalar
  int m, n;              ///< size of the tile; for a scalar m is the value, and n its kind
  enum Scalar : int { Number, Integer, Option };
  double real = 0, imaginary = 0; ///< value of a scalar of the kind Number
  int nb = 0; ///< tile size of a whole matrix, where the requirement speaks of its tiles; otherwise 0
};
template <typename T> SeenArgument seen(const char *parameter, const char *tile, const ConstTile<T> &value) {
  return {parameter, tile, value.m(), value.n()};
}
template <typename T> SeenArgument seen(const char *parameter, const char *tile, const ConstPanel<T> &value) {
  return {parameter, tile, value.m(), value.n()};
}
template <typename Value> SeenArgument seenScalar(const char *parameter, const Value &value) {
  if constexpr (__is_enum(Value))
    return {parameter, nullptr, static_cast<int>(value), SeenArgument::Option};
  else if constexpr (__is_same(Value, int))
    return {parameter, nullptr, value, SeenArgument::Integer};
  else if constexpr (isComplex<Value>)
    return {parameter,
            nullptr,
            0,
            SeenArgument::Number,
            static_cast<double>(value.real()),
            static_cast<double>(value.imag())};
  else
    return {parameter, nullptr, 0, SeenArgument::Number, static_cast<double>(value)};
}

template <typename T> bool isEmpty(const ConstTile<T> &tile) { return tile.m() <= 0 || tile.n() <= 0; }
template <typename T> bool isEmpty(const ConstPanel<T> &panel) { return panel.m() <= 0 || panel.n() <= 0; }

/// Throws Error: "requires A.n() == B.m(), but A, which is W(i, k), is 64 x 64 and B, which is A(k, j), is 12 x 64".
[[noreturn]] void failRequirement(const char *requirement, std::initializer_list<SeenArgument> arguments);
/// Throws UsageError: "orgqr requires tau.m() <= A.n(), but tau is 9 x 1 and A is 5 x 7": before anything runs.
[[noreturn]] void failArguments(const char *algorithm, const char *requirement,
                                std::initializer_list<SeenArgument> arguments);
/// The values of p() and q() of a matrix.
struct SeenPeriod {
  const char *matrix;
  int rows, columns;
};
/// Throws UsageError where one is another than these loops were made for: "p() x q() of A is 1 x 1, and these loops are
/// for 2 x 3".
void requirePeriod(Period period, std::initializer_list<SeenPeriod> matrices);
/// Throws Error: "writes C, A(i, j), which is also its argument A, A(i, k); ...".
[[noreturn]] void failAlias(const char *written, const char *writtenTile, const char *other, const char *otherTile);

/// Whether two windows on the memory of one tile share an element, and are not different halves of it.
template <typename T> [[gnu::noinline]] bool shareElements(const ConstTile<T> &a, const ConstTile<T> &b) {
  const bool halves = a.region() != Region::Full && b.region() != Region::Full && a.region() != b.region();
  if (halves || isEmpty(a) || isEmpty(b) || a.ld() != b.ld())
    return false;
  // b begins `down` rows and `right` columns from a, `down` less than a column in either direction: two candidates, of
  // which the wrong one has no common row.
  const auto address = [](const ConstTile<T> &tile) { return reinterpret_cast<std::intptr_t>(tile.data()); };
  const long distance = (address(b) - address(a)) / static_cast<long>(sizeof(T)), ld = a.ld();
  const long right = distance >= 0 ? distance / ld : -((-distance + ld - 1) / ld), down = distance - right * ld;
  const auto meets = [&](long rows, long columns) {
    return rows < a.m() && -rows < b.m() && columns < a.n() && -columns < b.n();
  };
  return meets(down, right) || meets(down - ld, right + 1);
}

/// Whether two arguments of one task share an element. Those of one tile are windows on the same memory; others are
/// told by their addresses.
template <typename T> bool overlap(const ConstTile<T> &a, const ConstTile<T> &b) {
  const auto begin = [](const ConstTile<T> &tile) { return reinterpret_cast<std::intptr_t>(tile.data()); };
  const auto end = [&](const ConstTile<T> &tile) {
    return begin(tile) + ((tile.n() - 1L) * tile.ld() + tile.m()) * static_cast<long>(sizeof(T));
  };
  if (begin(a) >= end(b) || begin(b) >= end(a)) [[likely]]
    return false;
  return shareElements(a, b);
}
template <typename T> bool overlap(const ConstPanel<T> &a, const ConstTile<T> &b) {
  for (int r = 0; r < a.mt(); ++r)
    if (overlap<T>(a(r), b))
      return true;
  return false;
}
template <typename T> bool overlap(const ConstTile<T> &a, const ConstPanel<T> &b) { return overlap(b, a); }
/// Where a tile lies, from its first to its last element.
struct AddressRange {
  std::intptr_t begin, end;
};
/// Whether one of the first `count` ranges has a byte in common with one of the others: in as much time as sorting
/// takes, where each against each took minutes for panels of 60000 tiles. Changes their order.
bool meetOthers(AddressRange *ranges, int count, int others);

/// Panels longer than this are first looked at by their addresses alone.
inline constexpr long fewPairs = 1024;
template <typename T> [[gnu::noinline]] bool rangesMeet(const ConstPanel<T> &a, const ConstPanel<T> &b) {
  const auto ranges = new AddressRange[static_cast<std::size_t>(a.mt()) + b.mt()];
  for (int r = 0; r < a.mt() + b.mt(); ++r) {
    const ConstTile<T> tile = r < a.mt() ? a(r) : b(r - a.mt());
    const auto begin = reinterpret_cast<std::intptr_t>(tile.data());
    ranges[r] = {begin, isEmpty(tile) ? begin : begin + ((tile.n() - 1L) * tile.ld() + tile.m()) * long(sizeof(T))};
  }
  const bool meet = meetOthers(ranges, a.mt(), b.mt());
  delete[] ranges;
  return meet;
}
template <typename T> bool overlap(const ConstPanel<T> &a, const ConstPanel<T> &b) {
  if (static_cast<long>(a.mt()) * b.mt() > fewPairs && !rangesMeet(a, b))
    return false;
  for (int r = 0; r < b.mt(); ++r)
    if (overlap<T>(a, b(r)))
      return true;
  return false;
}

} // namespace tla::runtime
