// The eigenvectors of a merge, diag(d) + rho z z^T, from its roots: by a z for which the roots are exact, so that they
// are orthogonal however close the roots are (M. Gu, S. C. Eisenstat, A divide-and-conquer algorithm for the symmetric
// tridiagonal eigenproblem, SIAM J. Matrix Anal. Appl. 16, 1995; LAPACK: laed3).
#pragma once
#include "secular.hpp"

#include <algorithm>
#include <cmath>
#include <tla/vec.hpp>
#include <vector>

namespace eigen {

/// The kept part of a merge with its roots: poles d, ascending, and for each root the pole it is measured from and the
/// offset.
template <typename T> struct Roots {
  int kept;
  const T *d, *origin, *offset; ///< origin: a number of a pole
  T poleOf(int k) const { return d[static_cast<int>(origin[k])]; }
  T value(int k) const { return poleOf(k) + offset[k]; }
};

/// result[i] *= ((poles[i] - origin) - offset) / (poles[i] - other).
template <typename T>
inline void multiplyRatios(int count, const T *poles, T origin, T offset, T other, T *__restrict result) {
  for (int i = 0; i < count; ++i)
    result[i] *= ((poles[i] - origin) - offset) / (poles[i] - other);
}

/// The elements first .. first + count - 1 of Gu & Eisenstat's z, with the signs of z. Loewner's formula: the square of
/// element i is the product over all roots of their differences with pole i, over the products of the differences of
/// the poles.
template <typename T> inline void exactWeights(const Roots<T> &roots, const T *z, int first, int count, T *result) {
  std::vector<T> product(count, T(1));
  const T *const own = roots.d + first;
  for (int k = 0; k < roots.kept; ++k) {
    const T origin = roots.poleOf(k), offset = roots.offset[k], pole = roots.d[k];
    const int at = std::clamp(k - first, 0, count);
    multiplyRatios(at, own, origin, offset, pole, product.data());
    int behind = at;
    if (k >= first && k < first + count) {
      product[at] *= (own[at] - origin) - offset;
      ++behind;
    }
    multiplyRatios(count - behind, own + behind, origin, offset, pole, product.data() + behind);
  }
  for (int i = 0; i < count; ++i)
    result[i] = std::copysign(std::sqrt(std::abs(product[i])), z[first + i]);
}

/// The Euclidean norm of the eigenvector z_j / (d_j - root) of root k.
template <typename T> inline T normOfVector(const Roots<T> &roots, const T *z, int k) {
  using Vec = tla::Vec<T>;
  const T origin = roots.poleOf(k), offset = roots.offset[k];
  const Vec o(origin), m(offset);
  Vec sums = Vec::zero();
  int j = 0;
  for (; j + Vec::lanes <= roots.kept; j += Vec::lanes) {
    const Vec v = Vec::load(z + j) / ((Vec::load(roots.d + j) - o) - m);
    sums = fma(v, v, sums);
  }
  T sum = sums.sum();
  for (; j < roots.kept; ++j) {
    const T v = z[j] / ((roots.d[j] - origin) - offset);
    sum += v * v;
  }
  return std::sqrt(sum);
}

/// The order of all new columns, which places are listed: that of their eigenvalues, or that of the places.
template <typename T> inline std::vector<int> orderOfPlaces(bool sorted, const std::vector<T> &values) {
  std::vector<int> order(values.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    order[k] = static_cast<int>(k);
  if (sorted)
    std::sort(order.begin(), order.end(),
              [&](int x, int y) { return values[x] < values[y] || (values[x] == values[y] && x < y); });
  return order;
}

} // namespace eigen
