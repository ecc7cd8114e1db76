// What a check computes in: wide enough that none of its products leaves the range of its numbers.
#pragma once

#include "runtime/host/base/element_type.hpp"

#include <cmath>
#include <limits>

namespace tla::host {

/// Matrices of `E`, computed with in the real type `R`, or its complex type where E is complex.
template <typename E, typename R> struct Arithmetic {
  using Element = E;
  using Real = R;
  using Value = std::conditional_t<isComplex<E>, std::complex<R>, R>;
};

// T of a check is such an Arithmetic.
template <typename T> using Accumulator = typename T::Value;
template <typename T> using RealOf = typename T::Real;

/// The arithmetic of the first attempt. A product of four matrices of float has a place in a double.
template <typename E> using Fast = Arithmetic<E, double>;
/// The one with 15 bits of exponent or more, for matrices of double: the product of as many is in its range.
template <typename E> using Wide = Arithmetic<E, long double>;
static_assert(std::numeric_limits<long double>::max_exponent >= 16 * std::numeric_limits<double>::max_exponent);

/// The facts about its numbers that a check has seen. In Fast arithmetic on doubles, sums of at most 2^31 products of
/// up to four numbers below `largest` do not overflow, and what underflows is less than 2^-100 of an allowed error of
/// `smallest`: where both bounds hold, the residual is the one that unlimited exponents would give, and else Wide is
/// asked. They are tested on norms and on allowed errors, which are the same on all ranks.
struct NumberRange {
  static constexpr double largest = 0x1p200, smallest = 0x1p-300;
  bool left = false;             ///< a bound does not hold
  bool inputNotFinite = false;   ///< a matrix before the run has Inf or NaN, or its norm is not a number of Wide
  bool resultNotFinite = false;  ///< a matrix after the run has Inf or NaN, or its norm is not a number of Wide
  bool belowNormalRange = false; ///< an allowed error is that of numbers that the element type has with lost digits
  bool ownNotFinite = false;     ///< the author's own check came to Inf or NaN

  template <typename Real> void seeNorm(Real norm, bool original) {
    left = left || !(norm <= largest);
    if (!std::isfinite(norm))
      (original ? inputNotFinite : resultNotFinite) = true;
  }
  template <typename Real> void seeNumber(Real size) { left = left || !(size <= largest); }
  /// Zero is seen as well: it may be that of an underflow.
  template <typename T> void seeAllowedError(RealOf<T> error) {
    using Element = tla::RealType<typename T::Element>;
    left = left || !(error >= smallest);
    belowNormalRange = belowNormalRange || (error > 0 && error < std::numeric_limits<Element>::denorm_min());
  }
};

} // namespace tla::host
