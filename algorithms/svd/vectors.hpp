// The singular vectors of a merge from its roots, by a row z for which the roots are exact (LAPACK: lasd3, lasd8).
#pragma once
#include "../eigen/rank_one.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace svd {

/// The kept part of a merge: singular value k is d[origin[k]] + offset[k], d the square roots of the poles, the first
/// one zero.
template <typename T> struct Roots : eigen::Roots<T> {
  /// The squares' difference of d[i] and singular value k.
  T distance(int i, int k) const { return distance(i, this->poleOf(k), this->offset[k]); }
  T distance(int i, T from, T by) const { return ((this->d[i] - from) - by) * ((this->d[i] + from) + by); }
};

/// The elements first .. first + count - 1 of the row for which the roots are exact, with the signs of z (Loewner's
/// formula).
template <typename T> inline void exactRow(const Roots<T> &roots, const T *z, int first, int count, T *result) {
  std::vector<T> product(count, T(1));
  for (int k = 0; k < roots.kept; ++k) {
    const T from = roots.poleOf(k), by = roots.offset[k], pole = roots.d[k];
    for (int i = 0; i < count; ++i) {
      const T own = roots.d[first + i];
      const T poles = first + i == k ? T(1) : (own - pole) * (own + pole);
      product[i] *= roots.distance(first + i, from, by) / poles;
    }
  }
  for (int i = 0; i < count; ++i)
    result[i] = std::copysign(std::sqrt(std::abs(product[i])), z[first + i]);
}

/// The Euclidean norm of the vector of singular value k, as element() of it has it: the right one, or the left one.
template <typename T> inline T normOfVector(const Roots<T> &roots, const T *z, int k, bool left) {
  std::vector<T> elements{left ? T(1) : T(0)};
  const T from = roots.poleOf(k), by = roots.offset[k];
  T largest = elements[0], sum = 0;
  for (int i = left ? 1 : 0; i < roots.kept; ++i) {
    elements.push_back((left ? roots.d[i] * z[i] : z[i]) / roots.distance(i, from, by));
    largest = std::max(largest, std::abs(elements.back()));
  }
  for (const T element : elements) // whose squares may overflow
    sum += (element / largest) * (element / largest);
  return largest * std::sqrt(sum);
}

/// The order of all new columns, which places are listed: that of the places, or descending singular values, equal ones
/// in the order of the old columns at these places.
template <typename T, typename Number>
inline std::vector<int> orderOfPlaces(bool sorted, const std::vector<T> &values, const std::vector<Number> &columnAt) {
  std::vector<int> order = eigen::orderOfPlaces(false, values);
  if (sorted)
    std::sort(order.begin(), order.end(), [&](int x, int y) {
      return values[x] > values[y] || (values[x] == values[y] && columnAt[x] < columnAt[y]);
    });
  return order;
}

} // namespace svd
