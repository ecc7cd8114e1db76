// Kernels of unmtr_hb2st: the reflectors of the chase, in diamonds, applied to the eigenvectors of the tridiagonal
// matrix (A. Haidar, P. Luszczek, J. Dongarra, New algorithm for computing eigenvectors of the symmetric eigenvalue
// problem, IPDPSW 2014; PLASMA: unmtr_hb2st).
#pragma once
#include "diamonds.hpp"

#include <algorithm>
#include <tla/tla.hpp>
#include <vector>

namespace eigen {

/// Column l of X and F: reflector l of V, the k-th of its group, and its column of the triangular factor, which needs
/// those of the group's reflectors before (LAPACK: larft, forward, columnwise).
template <typename T> inline void addToGroup(int l, int k, tla::ConstTile<T> V, tla::OutTile<T> X, tla::OutTile<T> F) {
  const int b = V.n();
  T *const x = &X(0, l), *const f = &F(0, l);
  std::fill_n(x, X.m(), T(0));
  std::copy_n(&V(0, l), b, x + k);
  x[k] = 1;
  std::fill_n(f, F.m(), T(0));
  const T tau = V(0, l);
  for (int i = 0; i < k; ++i) {
    const T *const y = &X(0, l - k + i);
    T sum = 0;
    for (int r = k; r < i + b; ++r)
      sum += conj(y[r]) * x[r];
    f[i] = -tau * sum;
  }
  for (int i = 0; i < k; ++i) { // f = F f
    T sum = 0;
    for (int j = i; j < k; ++j)
      sum += F(i, l - k + j) * f[j];
    f[i] = sum;
  }
  f[k] = tau;
}

} // namespace eigen

/// The reflectors of a tile of V, ib at a time: X has them in columns that begin at the row of the first of them, with
/// ones and zeros; F the triangular factors.
#pragma tla kernel bound(compute) requires(X.m() >= V.m() + ib && F.m() >= ib) flops(V.m() * V.n() * ib)
template <typename T> void diamond(int ib, tla::ConstTile<T> V, tla::OutTile<T> X, tla::OutTile<T> F) {
  for (int l = 0; l < V.n(); ++l)
    eigen::addToGroup<T>(l, l % ib, V, X, F);
}

/// Y = Q^T in the rows that Q has columns: a column of Y has the real parts of all its rows, then the imaginary ones.
#pragma tla kernel bound(memory) requires(Y.n() >= Q.m(), Y.m() >= Q.n())
template <typename T> void planarTranspose(tla::ConstTile<tla::RealType<T>> Q, tla::Tile<T> Y) {
  const int width = Y.m();
  for (int i = 0; i < Q.m(); ++i) {
    tla::RealType<T> *const column = eigen::realsOf(&Y(0, i));
    for (int j = 0; j < Q.n(); ++j)
      column[j] = Q(i, j);
    std::fill(column + Q.n(), column + eigen::partsOf<T> * width, tla::RealType<T>(0));
  }
}

/// Z = the transpose of the rows of Y from `row` on, which are as planarTranspose leaves them.
#pragma tla kernel bound(memory) requires(Y.n() >= Z.m(), Y.m() >= Z.n() + row)
template <typename T> void planarTransposeBack(int row, tla::ConstTile<T> Y, tla::OutTile<T> Z) {
  const int width = Y.m();
  for (int i = 0; i < Z.m(); ++i) {
    const tla::RealType<T> *const column = eigen::realsOf(&Y(0, i)) + row;
    for (int j = 0; j < Z.n(); ++j)
      if constexpr (tla::isComplex<T>)
        Z(i, j) = T(column[j], column[width + j]);
      else
        Z(i, j) = column[j];
  }
}

/// Y^T = Q Y^T for the reflectors of a column of diamonds, the r-th of which begins one row behind row (s + r) b of
/// Y^T.
#pragma tla kernel bound(compute) flops(4.0 * X.n() * (Y.n() - s * X.n()) * Y.m())
template <typename T> void applyDiamonds(int ib, int s, tla::ConstPanel<T> X, tla::ConstPanel<T> F, tla::Tile<T> Y) {
  using Real = tla::RealType<T>;
  constexpr int L = tla::Vec<Real>::lanes, P = eigen::partsOf<T>;
  const int b = X.n();
  std::vector<Real> space(static_cast<std::size_t>(2) * ib * 4 * L);
  for (int r = 0; r < X.mt(); ++r)
    for (int l = (b - 1) / ib * ib; l >= 0; l -= ib) {
      const int count = std::min(ib, b - l), top = (s + r) * b + l + 1, rows = std::min(count + b - 1, Y.n() - top);
      if (rows <= 0)
        continue;
      const eigen::ReflectorGroup<T> group{b, count, rows, &X(r)(0, l), X(r).ld(), &F(r)(0, l), F(r).ld()};
      eigen::reflectAllRows(group, Y.m(), {eigen::realsOf(&Y(0, top)), static_cast<long>(P) * Y.ld(), Y.m()},
                            space.data());
    }
}
