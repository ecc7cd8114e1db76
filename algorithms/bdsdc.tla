#pragma once
#include "eigen/judge.hpp"
#include "eigen/residual.tla"
#include "svd/dc.hpp"
#include "svd/judge.hpp"

/// One merge of bdsdc for the right or the left vectors Q: rows and columns of tiles from i to end become those of the merged
/// problem, in columns of tiles of which one of the first k columns is. Rows before mid are the upper half's.
#pragma tla algorithm shape(D(Q.nt(), 1, Q.nb(), 11), Z(Q.nt(), 1, Q.nb(), 1), H(Q.nt(), 1, 2, 1), S(Q.nt(), 1, Q.nb(), 5), \
    M(Q.nt() * Q.p(), Q.nt(), Q.nb(), Q.nb()), P(Q.n(), Q.n(), Q.nb()), Q(n, n))
template <typename T>
void bdsdc_vectors(int left, int k, int i, int mid, int end, tla::Workspace<tla::RealType<T>> D, tla::Workspace<tla::RealType<T>> Z,
                   tla::Workspace<tla::RealType<T>> H, tla::Workspace<tla::RealType<T>> S, tla::Workspace<tla::RealType<T>> M,
                   tla::Workspace<T> P, tla::Matrix<T> Q) {
  const int n = Q.n(), nb = Q.nb(), p = Q.p(), order = min(end * nb, n) - i * nb;
  for (int r = i; r < end; ++r)
    for (int l = r < mid ? i : mid; l < (r < mid ? mid : end); ++l) {
      #pragma tla task
      stedcCompress(D(l, 0), Q(r, l));
    }
  for (int j = i; j < end; ++j)
    if (j * nb < k) {
      for (int l = i; l < end; ++l) { // once on each row of nodes that has rows of Q
        const int first = l < mid ? i : mid, behind = l < mid ? mid : end;
        for (int r = first; r < min(first + p, behind); ++r) {
          #pragma tla task
          bdsdcVectors(left, order, l - i, min(nb, n - j * nb), H(i, 0), D.panel(i, end, 0), Z.panel(i, end, 0), S(j, 0), M(l * p + r % p, j));
        }
      }
      for (int r = i; r < end; ++r) {
        const int first = r < mid ? i : mid, behind = r < mid ? mid : end;
        for (int l = first; l < behind; ++l) {
          #pragma tla task
          stedcProduct(l == first ? 1 : 0, H(i, 0), D(l, 0), S(j, 0), Q(r, l), M(l * p + r % p, j), P(r, j));
        }
      }
    }
  for (int j = i; j < end; ++j)
    if (j * nb < k)
      for (int r = i; r < end; ++r) {
        #pragma tla task release(P(r, j))
        stedcDecompress(H(i, 0), S(j, 0), P(r, j), Q(r, j));
      }
}

/// bdsdc, of whose singular vectors only the first k are asked for: the last merge leaves out tile columns of U and V without
/// one of them, which then hold anything. All singular values are computed.
#pragma tla algorithm shape(d(n, 1), e(n, 1), s(n, 1), U(n, n), V(n, n))
template <typename T>
void bdsdc_range(int k, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> U, tla::Matrix<T> V) {
  using Real = tla::RealType<T>;
  const int n = U.n(), nt = U.nt(), nb = U.nb(), p = U.p();
  tla::Workspace<Real> D(nt, 1, nb, 11), L(nt, 1, nb, 11), SU(nt, 1, nb, 5), SV(nt, 1, nb, 5), R(nt, 1, nb, 2), Z(nt, 1, nb, 1);
  tla::Workspace<Real> H(nt, 1, 2, 1), scale(1, 1, 1, 1), MU(nt * p, nt, nb, nb), MV(nt * p, nt, nb, nb);
  tla::Workspace<T> PU(n, n, nb), PV(n, n, nb);
  if (nt > 0) {
    #pragma tla task
    stedcScale(d.panel(0, nt, 0), e.panel(0, nt, 0), scale(0, 0));
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    bdsdcLeaf(t + 1 < nt ? 1 : 0, scale(0, 0), d(t, 0), e(t, 0), SV(t, 0), U(t, t), V(t, t));
  }
  for (int h = 1; h < nt; h *= 2)
    for (int i = 0; i + h < nt; i += 2 * h) {
      const int mid = i + h, end = min(i + 2 * h, nt), order = min(end * nb, n) - i * nb, isLast = 2 * h >= nt ? 1 : 0;
      for (int c = i; c < end; ++c) {
        #pragma tla task
        stedcRow(c < mid ? 1 : 0, SV(c, 0), V(c < mid ? mid - 1 : mid, c), D(c, 0));
        #pragma tla task
        laset(Real(0), Real(0), L(c, 0));
      }
      #pragma tla task
      bdsdcDeflate(order, h, end == nt ? 1 : 0, scale(0, 0), d(mid - 1, 0), e(mid - 1, 0), D.panel(i, end, 0), L.panel(i, end, 0), H(i, 0));
      for (int j = i; j < end; ++j) {
        #pragma tla task
        bdsdcRoots(order, j - i, H(i, 0), D.panel(i, end, 0), R(j, 0));
      }
      for (int j = i; j < end; ++j) {
        #pragma tla task
        bdsdcRow(order, j - i, H(i, 0), D.panel(i, end, 0), R.panel(i, end, 0), Z(j, 0));
      }
      for (int j = i; j < end; ++j) {
        #pragma tla task
        bdsdcColumns(0, 1, order, j - i, H(i, 0), D.panel(i, end, 0), R.panel(i, end, 0), Z.panel(i, end, 0), SV(j, 0));
        #pragma tla task
        bdsdcColumns(1, 1, order, j - i, H(i, 0), L.panel(i, end, 0), R.panel(i, end, 0), Z.panel(i, end, 0), SU(j, 0));
      }
      bdsdc_vectors(0, isLast == 1 ? k : n, i, mid, end, D, Z, H, SV, MV, PV, V);
      bdsdc_vectors(1, isLast == 1 ? k : n, i, mid, end, L, Z, H, SU, MU, PU, U);
    }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    stedcValues(scale(0, 0), SV(t, 0), s(t, 0));
  }
}

/// B = U diag(s) V^T, s descending, of the real bidiagonal matrix B with diagonal d and superdiagonal e(0) .. e(n - 2), by
/// divide and conquer (LAPACK: bdsdc with uplo = 'U', compq = 'I'): leaves of one tile, the last row of each missing but in the
/// last one; blocks of h tiles are merged in pairs, with the row between them. A run ends with info > 0 where d or e has a NaN
/// or an infinity.
#pragma tla algorithm shape(d(n, 1), e(n, 1), s(n, 1), U(n, n), V(n, n)) input(d : random, e : random, s : zero, U : zero, V : zero) \
    check(user(bdsdc_residual(d, e, s, U, V)))
template <typename T>
void bdsdc(tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> U, tla::Matrix<T> V) {
  bdsdc_range(U.n(), d, e, s, U, V);
}

/// r = the largest of (|B V - U S|_F + |B^T U - V S|_F) / (n |B|_F eps), |U^H U - I|_F / (n eps) and |V^H V - I|_F / (n eps); NaN where
/// s does not descend to zero.
#pragma tla algorithm shape(d(n, 1), e(n, 1), s(n, 1), U(n, n), V(n, n), r(1, 1))
template <typename T>
void bdsdc_residual(tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> U,
                    tla::Matrix<T> V, tla::Matrix<T> r) {
  tla::Workspace<T> size(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int j = 0; j < U.nt(); ++j) {
    #pragma tla task
    addTridiagonalSquares(d(j, 0), e(j, 0), j + 1 < U.nt() ? 1 : 0, size(0, 0));
    #pragma tla task
    addTripletSquares(d.panel(0, U.mt(), 0), e.panel(0, U.mt(), 0), s(j, 0), U.panel(0, U.mt(), j), V.panel(0, U.mt(), j), r(0, 0));
  }
  if (U.nt() > 0) {
    #pragma tla task
    requireDescending(s.panel(0, U.nt(), 0), r(0, 0));
  }
  #pragma tla task
  scaleResidual(max(U.n(), 1), size(0, 0), r(0, 0));
  orthogonality(U, r);
  orthogonality(V, r);
}
