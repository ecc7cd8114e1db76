// What a generated loop nest over a search space is made of (kernels/tuning), and how its host runs it. Light: it is
// compiled with every nest.
#pragma once

#include <cstdint>

namespace tla::tuning {

/// One worker's run through a nest, in and out. Arrays are the host's.
struct Run {
  // In.
  const std::int64_t *last = nullptr; ///< last value of each loop's iterator where it is open-ended, or unknownLast
  bool counts = false;                ///< second pass: `last` is known, count what is removed
  bool leads = true;                  ///< one worker counts in the loops that all go through
  std::int64_t *tickets = nullptr;    ///< shared by all workers: the next point to take, 0 at the start
  void (*visit)(void *sink, const std::int64_t *iterators) = nullptr; ///< for each point left; may be null
  void *sink = nullptr;

  // Out. All start as 0, `largest` and `taken` as unknownLast.
  std::int64_t *visits = nullptr;   ///< iterations of each loop
  std::int64_t *failures = nullptr; ///< number of failures of each test
  double *removed = nullptr;        ///< points that each constraint removed; exact up to 2^53
  std::int64_t *largest = nullptr;  ///< largest value of each loop's open-ended iterator among points left
  std::int64_t *taken = nullptr;    ///< the same among all its values
  std::int64_t left = 0;            ///< points
  double raw = 0;                   ///< points of the nest without tests
  std::int64_t *point = nullptr;    ///< the iterators' values, where an error happened
  int depth = 0;                    ///< how many of them are set
  bool failed = false;              ///< overflow, division by zero, or a step that is not positive
};

inline constexpr std::int64_t unknownLast = INT64_MIN;
/// Beyond all values of iterators.
inline constexpr std::int64_t endless = INT64_MAX - 1;

struct ArithmeticError {};

/// 64-bit integers. Checked: overflow and division by zero throw. Else: they give some value.
template <bool checked> class Integer {
public:
  using Number = std::int64_t;
  constexpr Integer() = default;
  constexpr Integer(Number value) : value_(value) {}
  constexpr Number number() const { return value_; }
  constexpr explicit operator bool() const { return value_ != 0; }

  friend constexpr Integer operator+(Integer a, Integer b) {
    Number result = 0;
    return ensure(!__builtin_add_overflow(a.value_, b.value_, &result)), result;
  }
  friend constexpr Integer operator-(Integer a, Integer b) {
    Number result = 0;
    return ensure(!__builtin_sub_overflow(a.value_, b.value_, &result)), result;
  }
  friend constexpr Integer operator*(Integer a, Integer b) {
    Number result = 0;
    return ensure(!__builtin_mul_overflow(a.value_, b.value_, &result)), result;
  }
  friend constexpr Integer operator/(Integer a, Integer b) { return divides(a, b) ? a.value_ / b.value_ : 0; }
  friend constexpr Integer operator%(Integer a, Integer b) { return divides(a, b) ? a.value_ % b.value_ : 0; }
  friend constexpr Integer operator-(Integer a) { return Integer(0) - a; }
  friend constexpr Integer operator!(Integer a) { return a.value_ == 0; }
  friend constexpr Integer operator<(Integer a, Integer b) { return a.value_ < b.value_; }
  friend constexpr Integer operator<=(Integer a, Integer b) { return a.value_ <= b.value_; }
  friend constexpr Integer operator>(Integer a, Integer b) { return a.value_ > b.value_; }
  friend constexpr Integer operator>=(Integer a, Integer b) { return a.value_ >= b.value_; }
  friend constexpr Integer operator==(Integer a, Integer b) { return a.value_ == b.value_; }
  friend constexpr Integer operator!=(Integer a, Integer b) { return a.value_ != b.value_; }
  friend constexpr Integer min(Integer a, Integer b) { return b.value_ < a.value_ ? b : a; }
  friend constexpr Integer max(Integer a, Integer b) { return a.value_ < b.value_ ? b : a; }
  friend constexpr Integer gcd(Integer a, Integer b) {
    ensure(a.value_ != INT64_MIN && b.value_ != INT64_MIN);
    Number x = a.value_ < 0 ? 0 - a.value_ : a.value_, y = b.value_ < 0 ? 0 - b.value_ : b.value_;
    while (y > 0) {
      const Number rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }

private:
  static constexpr void ensure(bool holds) {
    if constexpr (checked)
      if (!holds) [[unlikely]]
        throw ArithmeticError();
  }
  static constexpr bool divides(Integer a, Integer b) {
    const bool defined = b.value_ != 0 && !(a.value_ == INT64_MIN && b.value_ == -1);
    ensure(defined);
    return defined;
  }
  Number value_ = 0;
};

/// A range's next value.
inline std::int64_t next(std::int64_t value, std::int64_t step) {
  std::int64_t result = 0;
  return __builtin_add_overflow(value, step, &result) ? INT64_MAX : result;
}
/// A step: one that is not positive would never end.
inline std::int64_t positive(std::int64_t step) {
  if (step <= 0) [[unlikely]]
    throw ArithmeticError();
  return step;
}
/// The end of a range as loops need it, which must be able to go beyond.
inline std::int64_t upTo(std::int64_t last) { return last < endless ? last : endless; }

/// How many values from, from + step, ..., last there are.
inline double countOf(std::int64_t from, std::int64_t last, std::int64_t step) {
  if (step <= 0 || last < from)
    return 0;
  return 1 + static_cast<double>((static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(from)) /
                                 static_cast<std::uint64_t>(step));
}

} // namespace tla::tuning
