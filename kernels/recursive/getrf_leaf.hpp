// The leaf of the recursion of getrf: a few columns of a panel, which a level-2 cache holds.
//
// Left-looking, one pass over the rows for each column: it divides the column before by its pivot, takes the columns
// before off this one, and finds the next pivot, so that a column is written twice and nothing is read for one purpose.
#pragma once

#include "kernels/reference/getrf.hpp"
#include "kernels/vectors/isa.hpp"

#include <array>
#include <cstring>
#include <type_traits>

namespace tla::kernels::recursive {

using vectors::WideVector, vectors::vectorized;

inline constexpr int getrfLeaf = 8;

/// The first element of largest modulus among those that were offered in the order of their rows.
template <typename T> struct PivotSearch {
  T largest = -1;
  int row = 0;
  void offer(T modulus, int i) {
    if (modulus > largest) {
      largest = modulus;
      row = i;
    }
  }
};

/// The pass for column J over a panel of real numbers.
template <typename T, int J> struct LeafPass {
  using Vector = typename WideVector<T>::type;
  using Index = typename WideVector<std::conditional_t<sizeof(T) == 8, long, int>>::type;
  static constexpr int lanes = WideVector<T>::lanes;

  Tile<T> A;
  T inverse;                  // of pivot J - 1; 1 where that column is final
  std::array<T, getrfLeaf> u; // U(0:J, J)

  /// The elements of column J from row i on, as many as V holds, final below the pivot.
  template <typename V> [[gnu::always_inline]] void eliminate(int i, V &x) const {
    std::memcpy(&x, &A(i, J), sizeof x);
#pragma GCC unroll 8
    for (int k = 0; k < J; ++k) {
      V l;
      std::memcpy(&l, &A(i, k), sizeof l);
      if (k == J - 1) {
        l *= inverse;
        std::memcpy(&A(i, k), &l, sizeof l);
      }
      x -= l * u[k];
    }
    std::memcpy(&A(i, J), &x, sizeof x);
  }

  /// Rows [begin, end) one by one.
  [[gnu::always_inline]] void scalars(int begin, int end, PivotSearch<T> &search) const {
    for (int i = begin; i < end; ++i) {
      T x;
      eliminate(i, x);
      search.offer(std::abs(x), i);
    }
  }

  /// `count` vectors from row `begin` on. Every lane searches its own rows; of equal lanes the earliest row counts.
  [[gnu::always_inline]] void vectors(int begin, int count, PivotSearch<T> &search) const {
    Vector largest = Vector{} - 1;
    Index where{};
    for (int s = 0; s < count; ++s) {
      Vector x;
      eliminate(begin + s * lanes, x);
      x = x > -x ? x : -x;
      where = x > largest ? Index{} + s : where;
      largest = x > largest ? x : largest;
    }
    PivotSearch<T> best;
    for (int lane = 0; lane < lanes; ++lane) {
      const int i = begin + static_cast<int>(where[lane]) * lanes + lane;
      if (largest[lane] > best.largest || (largest[lane] == best.largest && i < best.row))
        best = {largest[lane], i};
    }
    search.offer(best.largest, best.row);
  }

  /// The row of the pivot. The first rows are taken one by one, so that the vectors begin alike in every pass. NaN is
  /// the pivot only where it is first (see reference::iamax).
  [[gnu::always_inline]] int run() const {
    PivotSearch<T> search;
    const int head = min(getrfLeaf, A.m()), count = (A.m() - head) / lanes;
    scalars(J, head, search);
    vectors(head, count, search);
    scalars(head + count * lanes, A.m(), search);
    return A(J, J) == A(J, J) ? search.row : J;
  }
};

/// U(0:J, J), by forward substitution.
template <typename T> std::array<T, getrfLeaf> leafRow(int J, Tile<T> A) {
  std::array<T, getrfLeaf> u{};
  for (int k = 0; k < J; ++k) {
    u[k] = A(k, J);
    for (int t = 0; t < k; ++t)
      u[k] -= A(k, t) * u[t];
    A(k, J) = u[k];
  }
  return u;
}

/// The column that no pass follows.
template <typename T> int scaleLast(Tile<T> A, T inverse) {
  for (int i = A.n(); i < A.m(); ++i)
    A(i, A.n() - 1) *= inverse;
  return 0;
}

/// Columns [J, A.n()) of the leaf; `inverse` is that of pivot J - 1.
template <typename T, int J = 0> int leafColumns(int row, Tile<T> A, T inverse, int *ipiv) {
  if constexpr (J < getrfLeaf) {
    if (J == A.n())
      return scaleLast(A, inverse);
    const LeafPass<T, J> pass{A, inverse, leafRow(J, A)};
    // By value: what a pass holds stays in registers only if no store can be to it.
    const int p = vectorized([pass] { return pass.run(); });
    ipiv[J] = row + p + 1;
    reference::swapRows(A, J, p);
    const T pivot = A(J, J);
    const bool invertible = std::abs(pivot) >= std::numeric_limits<T>::min();
    if (pivot != T(0) && !invertible)
      reference::divideByPivot(pivot, A.m() - J - 1, &A(J, J) + 1);
    const int info = leafColumns<T, J + 1>(row, A, invertible ? T(1) / pivot : T(1), ipiv);
    return pivot == T(0) ? J + 1 : info;
  } else {
    return scaleLast(A, inverse);
  }
}

/// getrf of 1 to getrfLeaf columns with at least as many rows.
template <typename T> int getrfDirect(int row, Tile<T> A, int *ipiv) {
  if constexpr (isComplex<T>)
    return vectorized([&] { return reference::getf2(row, A, ipiv); });
  else
    return leafColumns<T>(row, A, T(1), ipiv);
}

extern template int getrfDirect(int row, Tile<float> A, int *ipiv); // compiled in leaves_s.cpp
extern template int getrfDirect(int row, Tile<double> A, int *ipiv);

} // namespace tla::kernels::recursive
