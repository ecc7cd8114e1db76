// Eigenvalues of a tridiagonal matrix by their numbers, each for itself: Sturm counts say on which side of a point an eigenvalue is,
// Laguerre's method takes the next point (T. Y. Li & Z. Zeng, SIAM J. Sci. Comput. 15, 1994).
#pragma once
#include <tla/tla.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace eigen {
/// The number of eigenvalues that are looked for at a time, in two vectors: while one division is under way another one starts.
constexpr int sturmLanes = 16;
typedef double SturmVector __attribute__((vector_size(64), aligned(8)));

/// A symmetric tridiagonal matrix with the largest number of its Gershgorin discs scaled to 1.
struct Tridiagonal {
  std::vector<double> diagonal, squares; ///< squares[i] couples rows i - 1 and i; squares[0] = 0
  double factor = 1;                     ///< the matrix as it was is so much larger
  double low = 0, high = 0;              ///< between which all eigenvalues are
};

template <typename T> inline Tridiagonal scaledTridiagonal(tla::ConstPanel<T> d, tla::ConstPanel<T> e) {
  Tridiagonal result;
  std::vector<double> off(1, 0.0);
  for (int t = 0; t < d.mt(); ++t)
    for (int i = 0; i < d(t).m(); ++i) {
      result.diagonal.push_back(d(t)(i, 0));
      off.push_back(e(t)(i, 0));
    }
  const int n = static_cast<int>(result.diagonal.size());
  off[n] = 0; // e has n - 1 elements
  double largest = 0;
  for (int i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(result.diagonal[i]) + std::abs(off[i]) + std::abs(off[i + 1]));
  result.factor = largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::ilogb(largest)) : 1;
  result.squares.resize(n);
  result.low = std::numeric_limits<double>::infinity(), result.high = -result.low;
  for (int i = 0; i < n; ++i) {
    result.diagonal[i] /= result.factor;
    const double radius = (std::abs(off[i]) + std::abs(off[i + 1])) / result.factor;
    result.squares[i] = off[i] / result.factor * (off[i] / result.factor);
    result.low = std::min(result.low, result.diagonal[i] - radius);
    result.high = std::max(result.high, result.diagonal[i] + radius);
  }
  const double room = 4 * n * std::numeric_limits<double>::epsilon(); // of the counts' rounding
  result.low -= room, result.high += room;
  return result;
}

/// At points x: how many eigenvalues are below each, and with them the sums of 1 / (lambda - x) and of its square.
struct Sturm {
  double below[sturmLanes], first[sturmLanes], second[sturmLanes];
};

inline Sturm sturm(const Tridiagonal &T, const double *points) {
  using V = SturmVector;
  constexpr int vectors = 2, lanes = sturmLanes / vectors;
  constexpr double tiny = 1e-290; // in the place of a pivot that vanishes
  V x[vectors], inverse[vectors], a[vectors], b[vectors], below[vectors], first[vectors], second[vectors];
  for (int v = 0; v < vectors; ++v) {
    for (int l = 0; l < lanes; ++l)
      x[v][l] = points[v * lanes + l];
    inverse[v] = a[v] = b[v] = below[v] = first[v] = second[v] = V{};
  }
  const int n = static_cast<int>(T.diagonal.size());
  for (int i = 0; i < n; ++i)
    for (int v = 0; v < vectors; ++v) {
      const V t = T.squares[i] * inverse[v];
      V q = T.diagonal[i] - x[v] - t;
      const V slope = t * a[v] - 1.0, bend = t * (b[v] - 2.0 * a[v] * a[v]); // q' and q'' with respect to x
      q = ((q < tiny) & (q > -tiny)) ? V{} - tiny : q;
      inverse[v] = 1.0 / q;
      a[v] = slope * inverse[v], b[v] = bend * inverse[v];
      below[v] += q < 0.0 ? V{} + 1.0 : V{};
      first[v] -= a[v], second[v] += a[v] * a[v] - b[v];
    }
  Sturm result;
  for (int v = 0; v < vectors; ++v)
    for (int l = 0; l < lanes; ++l) {
      result.below[v * lanes + l] = below[v][l];
      result.first[v * lanes + l] = first[v][l];
      result.second[v * lanes + l] = second[v][l];
    }
  return result;
}

/// Eigenvalue number k is in [low, high]; x is where it is looked for next. What it is rounded to, a multiple of `grid`, follows from
/// counts at points between these alone: equal eigenvalues become equal numbers, however each was found.
struct Bracket {
  int k;
  double low, high, x, grid;
  double mark; ///< the width at which Laguerre's steps were last found to be worth it
  int steps = 0;

  /// The multiple that numbers from `low` on are rounded to.
  double multiple() const { return std::floor(low / grid + 0.5); }
  bool done() const { return multiple() >= std::ceil(high / grid - 0.5); }

  /// Learns from the count at x, and chooses the next x: by Laguerre's method, whose steps never pass an eigenvalue, where this is the
  /// next one; a step that hardly moves is made a little too long, which closes the bracket. Three steps that have not halved the
  /// bracket are followed by a bisection.
  void advance(int n, double below, double first, double second) {
    const bool under = below <= k;
    const double at = x;
    (under ? low : high) = at;
    if (high - low < grid) {
      x = (multiple() + 0.5) * grid;
      return;
    }
    x = low + (high - low) / 2;
    if (++steps % 3 == 0) {
      const bool worth = high - low <= mark / 2;
      mark = high - low;
      if (!worth)
        return;
    }
    if (below != (under ? k : k + 1))
      return;
    const double root = std::sqrt(std::max(0.0, (n - 1) * (n * second - first * first)));
    double step = n / (under ? first + root : first - root);
    if (!std::isfinite(step) || (under ? step < 0 : step > 0))
      return;
    const double least = grid / 4;
    if (std::abs(step) < least)
      step = under ? least : -least;
    if (at + step > low && at + step < high)
      x = at + step;
  }
};
} // namespace eigen

/// w(i) = eigenvalue number first + i, ascending, counted from 0, of the tridiagonal matrix with diagonal d and subdiagonal e: what it
/// is does not depend on which others are asked for. Computed in double; exact to the roundoff of T in the norm of the matrix.
#pragma tla kernel bound(compute) flops(100.0 * w.m() * d.m())
template <typename T> void multisect(int first, tla::ConstPanel<T> d, tla::ConstPanel<T> e, tla::OutTile<T> w) {
  const eigen::Tridiagonal matrix = eigen::scaledTridiagonal(d, e);
  const int n = static_cast<int>(matrix.diagonal.size());
  if (n == 1 && w.m() == 1) {
    w(0, 0) = d(0)(0, 0);
    return;
  }
  const double grid = 2 * std::numeric_limits<T>::epsilon();
  for (int i0 = 0; i0 < w.m(); i0 += eigen::sturmLanes) {
    const int some = std::min(eigen::sturmLanes, w.m() - i0);
    std::vector<eigen::Bracket> brackets;
    for (int l = 0; l < eigen::sturmLanes; ++l) // those beyond the last one repeat it
      brackets.push_back({first + i0 + std::min(l, some - 1), matrix.low, matrix.high, (matrix.low + matrix.high) / 2, grid,
                          matrix.high - matrix.low});
    constexpr int most = 500; // more than bisection alone needs: NaN would never end it
    bool all = false;
    for (int turn = 0; turn < most && !all; ++turn) {
      double x[eigen::sturmLanes];
      for (int l = 0; l < eigen::sturmLanes; ++l)
        x[l] = brackets[l].x;
      const eigen::Sturm counts = eigen::sturm(matrix, x);
      all = true;
      for (int l = 0; l < eigen::sturmLanes; ++l) {
        eigen::Bracket &one = brackets[l];
        if (!one.done())
          one.advance(n, counts.below[l], counts.first[l], counts.second[l]);
        all &= one.done();
      }
    }
    for (int l = 0; l < some; ++l)
      w(i0 + l, 0) = T(all ? brackets[l].multiple() * grid * matrix.factor : std::numeric_limits<double>::quiet_NaN());
  }
}
