#pragma once
#include "eigen/dc.hpp"
#include "eigen/residual.tla"

/// stedc, of whose eigenvectors only those il .. iu, counted from 1, are asked for: the last merge leaves out tile columns
/// of Q without one of them, which then hold anything. All eigenvalues are computed.
#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1), Q(n, n)) requires(il >= 1)
template <typename T>
void stedc_range(int il, int iu, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e,
                 tla::Matrix<tla::RealType<T>> w, tla::Matrix<T> Q) {
  using Real = tla::RealType<T>;
  const int n = Q.n(), nt = Q.nt(), nb = Q.nb(), p = Q.p();
  tla::Workspace<Real> D(nt, 1, nb, 11), S(nt, 1, nb, 5), R(nt, 1, nb, 2), Z(nt, 1, nb, 1), H(nt, 1, 2, 1), scale(1, 1, 1, 1);
  tla::Workspace<Real> M(nt * p, nt, nb, nb);
  tla::Workspace<T> P(n, n, nb);
  if (nt > 0) {
    #pragma tla task
    stedcScale(d.panel(0, nt, 0), e.panel(0, nt, 0), scale(0, 0));
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    stedcLeaf(t > 0 ? 1 : 0, t + 1 < nt ? 1 : 0, scale(0, 0), d(t, 0), e(t, 0), e(max(t - 1, 0), 0), S(t, 0), Q(t, t));
  }
  for (int h = 1; h < nt; h *= 2)
    for (int i = 0; i + h < nt; i += 2 * h) {
      const int mid = i + h, end = min(i + 2 * h, nt), order = min(end * nb, n) - i * nb, isLast = 2 * h >= nt ? 1 : 0;
      for (int c = i; c < end; ++c) {
        #pragma tla task
        stedcRow(c < mid ? 1 : 0, S(c, 0), Q(c < mid ? mid - 1 : mid, c), D(c, 0));
      }
      #pragma tla task
      stedcDeflate(order, h, scale(0, 0), e(mid - 1, 0), D.panel(i, end, 0), H(i, 0));
      for (int j = i; j < end; ++j) {
        #pragma tla task
        stedcRoots(order, j - i, H(i, 0), D.panel(i, end, 0), R(j, 0));
      }
      for (int j = i; j < end; ++j) {
        #pragma tla task
        stedcWeights(order, j - i, H(i, 0), D.panel(i, end, 0), R.panel(i, end, 0), Z(j, 0));
      }
      for (int j = i; j < end; ++j) {
        #pragma tla task
        stedcColumns(isLast, order, j - i, H(i, 0), D.panel(i, end, 0), R.panel(i, end, 0), Z.panel(i, end, 0), S(j, 0));
      }
      for (int r = i; r < end; ++r)
        for (int l = r < mid ? i : mid; l < (r < mid ? mid : end); ++l) {
          #pragma tla task
          stedcCompress(D(l, 0), Q(r, l));
        }
      for (int j = i; j < end; ++j)
        if (isLast == 0 || ((j + 1) * nb >= il && j * nb < iu)) {
          for (int l = i; l < end; ++l) { // once on each row of nodes that has rows of Q: cheaper than to send it there
            const int first = l < mid ? i : mid, behind = l < mid ? mid : end;
            for (int r = first; r < min(first + p, behind); ++r) {
              #pragma tla task
              stedcVectors(order, l - i, min(nb, n - j * nb), H(i, 0), D.panel(i, end, 0), Z.panel(i, end, 0), S(j, 0), M(l * p + r % p, j));
            }
          }
          for (int r = i; r < end; ++r) {
            const int first = r < mid ? i : mid, behind = r < mid ? mid : end;
            for (int l = first; l < behind; ++l) {
              if (r + p < behind) {
                #pragma tla task
                stedcProduct(l == first ? 1 : 0, H(i, 0), D(l, 0), S(j, 0), Q(r, l), M(l * p + r % p, j), P(r, j));
              } else { // the last row of these nodes
                #pragma tla task release(M(l * p + r % p, j))
                stedcProduct(l == first ? 1 : 0, H(i, 0), D(l, 0), S(j, 0), Q(r, l), M(l * p + r % p, j), P(r, j));
              }
            }
          }
        }
      for (int j = i; j < end; ++j)
        if (isLast == 0 || ((j + 1) * nb >= il && j * nb < iu))
          for (int r = i; r < end; ++r) {
            #pragma tla task release(P(r, j))
            stedcDecompress(H(i, 0), S(j, 0), P(r, j), Q(r, j));
          }
    }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    stedcValues(scale(0, 0), S(t, 0), w(t, 0));
  }
}

/// Eigenvalues w, ascending, and eigenvectors Q of the real symmetric tridiagonal matrix with diagonal d and subdiagonal
/// e(0) .. e(n - 2), by divide and conquer (LAPACK: stedc with compz = 'I'): leaves of one tile, then blocks of h tiles
/// are merged in pairs, by a product of the halves' eigenvectors with those of the merged problem in terms of them. A run
/// ends with info > 0 where d or e has a NaN or an infinity.
#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1), Q(n, n)) input(d : random, e : random, w : zero, Q : zero) \
    check(user(stedc_residual(d, e, w, Q)))
template <typename T>
void stedc(tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Matrix<tla::RealType<T>> w, tla::Matrix<T> Q) {
  stedc_range(1, Q.n(), d, e, w, Q);
}

/// r = the larger of |T Q - Q W|_F / (n |T|_F eps) and |Q^H Q - I|_F / (n eps), T tridiagonal; NaN where w does not ascend.
#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1), Q(n, n), r(1, 1))
template <typename T>
void stedc_residual(tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Matrix<tla::RealType<T>> w, tla::Matrix<T> Q,
                    tla::Matrix<T> r) {
  tla::Workspace<T> size(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int j = 0; j < Q.nt(); ++j) {
    #pragma tla task
    addTridiagonalSquares(d(j, 0), e(j, 0), j + 1 < Q.nt() ? 1 : 0, size(0, 0));
    #pragma tla task
    addEigenSquares(d.panel(0, Q.mt(), 0), e.panel(0, Q.mt(), 0), w(j, 0), Q.panel(0, Q.mt(), j), r(0, 0));
  }
  if (Q.nt() > 0) {
    #pragma tla task
    requireAscending(w.panel(0, Q.nt(), 0), r(0, 0));
  }
  #pragma tla task
  scaleResidual(max(Q.n(), 1), size(0, 0), r(0, 0));
  orthogonality(Q, r);
}
