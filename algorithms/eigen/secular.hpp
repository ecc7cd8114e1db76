// The secular equation of divide and conquer: the eigenvalues of diag(d) + rho z z^T are the roots of
// f(lambda) = 1 / rho + sum_j z_j^2 / (d_j - lambda) (LAPACK: laed4).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <tla/vec.hpp>
#include <vector>

namespace eigen {

/// A root is d[origin] + offset, d[origin] the nearer of its two neighbours among the poles: so the differences between
/// the root and the poles have no cancellation.
template <typename T> struct Root {
  int origin = 0;
  T offset = 0;
  bool found = true;
};

/// The secular equation of `count` poles d, ascending and distinct, whose weights z are not zero, rho > 0. Of a
/// `squared` one the poles are the squares of d, not negative, and a root is the square of d[origin] + offset, which is
/// positive: differences of squares are products of differences and sums (LAPACK: lasd4).
template <typename T, bool squared = false> class SecularEquation {
public:
  SecularEquation(int count, const T *d, const T *z, T rho)
      : count_(count), d_(d), constant_(1 / rho), squares_(count), delta_(count), total_(squared ? count : 0) {
    for (int j = 0; j < count; ++j) {
      squares_[j] = z[j] * z[j];
      sum_ += squares_[j];
    }
  }

  /// The root between poles k and k + 1; the last one lies behind the last pole. Rational interpolation with the two
  /// poles around it, called the middle way (R.-C. Li, Solving secular equations stably and efficiently, LAWN 89,
  /// 1993), inside a bracket that is halved where three steps have not halved it.
  Root<T> root(int k) {
    if (count_ == 1)
      return {0, stepOfOffset(d_[0], squares_[0] / constant_), true};
    const bool last = k == count_ - 1;
    split_ = last ? k : k + 1;
    const T gap = last ? stepOfOffset(d_[k], sum_ / constant_) : d_[k + 1] - d_[k];
    measureFrom(k);
    Bracket bracket{0, gap};
    T offset = gap / 2;
    Value f = at(offset);
    if (last || f.value >= 0) {
      if (f.value >= 0)
        bracket.high = offset;
      else
        bracket.low = offset;
      return iterate(k, last, bracket, offset, f);
    }
    measureFrom(k + 1); // the root is nearer to the upper pole
    offset = -gap / 2;
    return iterate(k + 1, last, {offset, 0}, offset, at(offset));
  }

private:
  /// f at one place: psi sums up the poles below the root, phi those above it.
  struct Value {
    T value, psiSlope, phiSlope, size; ///< size: the sum of the absolute values of f's terms
  };
  struct Bracket {
    T low, high;
    T width() const { return high - low; }
    T size() const { return std::max(std::abs(low), std::abs(high)); }
    T middle() const { return low + (high - low) / 2; }
    bool contains(T x) const { return x > low && x < high; }
  };

  static constexpr T eps = std::numeric_limits<T>::epsilon() / 2;

  void measureFrom(int origin) {
    for (int j = 0; j < count_; ++j)
      delta_[j] = d_[j] - d_[origin];
    if constexpr (squared)
      for (int j = 0; j < count_; ++j)
        total_[j] = d_[j] + d_[origin];
  }

  /// How far pole j is from the root, or the square of it, at this offset.
  T distance(int j, T offset) const {
    if constexpr (squared)
      return (delta_[j] - offset) * (total_[j] + offset);
    else
      return delta_[j] - offset;
  }
  /// The step of d[origin] + offset = `from` by which the root changes by `change`.
  static T stepOfOffset(T from, T change) {
    if constexpr (squared)
      return change / (from + std::sqrt(std::max(from * from + change, T(0))));
    else
      return change;
  }

  /// Adds up z^2 / (delta - offset) and its derivative over the poles begin .. end - 1.
  void addPoles(int begin, int end, T offset, T &sum, T &slope) const {
    using Vec = tla::Vec<T>;
    const Vec one(T(1)), shift(offset);
    Vec sums = Vec::zero(), slopes = Vec::zero();
    int j = begin;
    for (; j + Vec::lanes <= end; j += Vec::lanes) {
      Vec delta = Vec::load(&delta_[j]) - shift;
      if constexpr (squared)
        delta *= Vec::load(&total_[j]) + shift;
      const Vec r = one / delta, t = Vec::load(&squares_[j]) * r;
      sums += t;
      slopes = fma(t, r, slopes);
    }
    sum = sums.sum(), slope = slopes.sum();
    for (; j < end; ++j) {
      const T r = 1 / distance(j, offset), t = squares_[j] * r;
      sum += t;
      slope += t * r;
    }
  }

  Value at(T offset) const {
    T psi, phi, psiSlope, phiSlope;
    addPoles(0, split_, offset, psi, psiSlope);
    addPoles(split_, count_, offset, phi, phiSlope);
    return {constant_ + psi + phi, psiSlope, phiSlope, constant_ + std::abs(psi) + std::abs(phi)};
  }

  /// The step to the root of c + s / (p - x) + S / (q - x), which has the slopes of psi and phi here. p and q are the
  /// differences between here and the poles around the root; the last root takes the two poles below it.
  T interpolate(const Value &f, T p, T q, bool last) const {
    const T a = (p + q) * f.value - p * q * (f.psiSlope + f.phiSlope), b = p * q * f.value;
    const T c = f.value - p * f.psiSlope - q * f.phiSlope;
    const T root = std::sqrt(std::max(T(0), a * a - 4 * b * c));
    if (last)
      return a >= 0 ? (a + root) / (2 * std::abs(c)) : 2 * b / (a - root);
    return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
  }

  Root<T> iterate(int origin, bool last, Bracket bracket, T offset, Value f) {
    constexpr int most = 200; // three steps halve the bracket at least; roots are found in about five
    const int lower = split_ - 1, upper = split_;
    T widthBefore = bracket.width();
    for (int step = 0; step < most; ++step) {
      if (std::abs(f.value) <= 4 * eps * f.size || bracket.width() <= 2 * eps * bracket.size())
        return {origin, offset, true};
      T change = interpolate(f, distance(lower, offset), distance(upper, offset), last);
      if (!(f.value * change < 0))
        change = -f.value / (f.psiSlope + f.phiSlope); // Newton's step goes the right way
      T next = offset + stepOfOffset(d_[origin] + offset, change);
      if (next == offset)
        return {origin, offset, true};
      if (step % 3 == 2) {
        if (bracket.width() > widthBefore / 2)
          next = bracket.middle();
        widthBefore = bracket.width();
      }
      if (!bracket.contains(next))
        next = bracket.middle();
      if (!bracket.contains(next))
        return {origin, offset, true}; // no number is left in between
      offset = next;
      f = at(offset);
      (f.value >= 0 ? bracket.high : bracket.low) = offset;
    }
    return {origin, offset, false};
  }

  const int count_;
  const T *const d_;
  const T constant_;
  T sum_ = 0;
  int split_ = 0; ///< the first pole of phi
  std::vector<T> squares_, delta_, total_;
};

} // namespace eigen
