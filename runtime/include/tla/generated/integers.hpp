// What generated code computes with integers where the compiler has no proof that an int, or a long, holds the result.
// Only generated code includes this header.
#pragma once

#include <climits>

namespace tla::runtime {

/// The smaller and the larger of two integers, of which one may be a long.
template <typename A, typename B> constexpr auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }
template <typename A, typename B> constexpr auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }

/// Throws UsageError: "f.tla:12: A.m() * A.m() is 2500000000, which does not fit 'int'". `what` may be null.
[[noreturn]] void failRange(const char *expression, long value, const char *type, const char *what);
/// Throws UsageError: "A.m() * A.m() * A.m() does not fit 64 bits".
[[noreturn]] void failOverflow(const char *expression);

template <typename Integer> constexpr const char *integerName() {
  if constexpr (__is_same(Integer, int))
    return "int";
  else if constexpr (__is_same(Integer, short))
    return "short";
  else if constexpr (__is_same(Integer, char) || __is_same(Integer, signed char))
    return "char";
  else
    return "unsigned";
}

/// The value as an Integer.
template <typename Integer> constexpr Integer to(long value, const char *expression, const char *what = nullptr) {
  const Integer result = static_cast<Integer>(value);
  const bool isNegative = result < Integer(0);
  if (static_cast<long>(result) != value || isNegative != (value < 0)) [[unlikely]]
    failRange(expression, value, integerName<Integer>(), what);
  return result;
}
/// A number of tiles whose product with the elements of each is an int.
constexpr int factor(int tiles, int each, const char *expression, const char *what) {
  to<int>(static_cast<long>(tiles) * each, expression, what);
  return tiles;
}
/// The int that is nearest to the value: the value itself where it is one.
constexpr int nearestInt(long value) {
  return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : static_cast<int>(value);
}
/// The value as an index of a tile; -1, which no tile has, where the value is no int.
constexpr int tileIndex(long value) { return value > INT_MAX || value < INT_MIN ? -1 : static_cast<int>(value); }

constexpr long sum(long a, long b, const char *expression) {
  long result = 0;
  if (__builtin_add_overflow(a, b, &result)) [[unlikely]]
    failOverflow(expression);
  return result;
}
constexpr long difference(long a, long b, const char *expression) {
  long result = 0;
  if (__builtin_sub_overflow(a, b, &result)) [[unlikely]]
    failOverflow(expression);
  return result;
}
constexpr long product(long a, long b, const char *expression) {
  long result = 0;
  if (__builtin_mul_overflow(a, b, &result)) [[unlikely]]
    failOverflow(expression);
  return result;
}
constexpr long quotient(long a, long b, const char *expression) {
  if (a == LONG_MIN && b == -1) [[unlikely]]
    failOverflow(expression);
  return a / b;
}

} // namespace tla::runtime
