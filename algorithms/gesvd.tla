#pragma once
#include "bdsdc.tla"
#include "eigen/parts.tla"
#include "eigen/signs.hpp"
#include "ge2gb.tla"
#include "hb2st.tla"
#include "svd/chase.tla"
#include "svd/parts.tla"
#include "svd/residual.tla"
#include "svd/values.hpp"

/// Y = U and Z = V of the k largest singular values of G, s, for a G that is not wider than tall, and that is overwritten.
#pragma tla algorithm shape(G(m, n), s(k, 1), Y(G.m(), s.m(), G.nb()), Z(G.n(), s.m(), G.nb())) \
    requires(G.m() >= G.n(), s.m() <= G.n(), sweeps >= 1, chunks >= 1, ib >= 1, wide >= 1)
template <typename T>
void gesvd_tall(int sweeps, int chunks, int ib, int wide, tla::Matrix<T> G, tla::Matrix<tla::RealType<T>> s, tla::Workspace<T> Y,
                tla::Workspace<T> Z) {
  using Real = tla::RealType<T>;
  const int n = G.n(), nt = G.nt(), nb = G.nb(), k = s.m(), large = wide * nb; // tiles of divide and conquer
  tla::Workspace<Real> sigma(1, 1, 1, 1), d(n, 1, nb), e(n, 1, nb);
  tla::Workspace<Real> D(n, 1, large), E(n, 1, large), W(n, 1, large), U(n, n, large), V(n, n, large), UK(n, k, large), VK(n, k, large);
  tla::Workspace<T> R(n, n, nb), X(n, k, nb), tau(n, 1, nb), tauq(n, 1, nb), taup(n, 1, nb);
  tla::Workspace<T> XL(nt, nt, nb + ib, nb), FL(nt, nt, ib, nb), XR(nt, nt, nb + ib, nb), FR(nt, nt, ib, nb);
  if (nt > 0) {
    scale_all(G, sigma);
    if (G.m() > n) {
      geqrf(G, tau);
    }
    square_part(G, R);
    ge2gb(R, tauq, taup);
    gb2bd_chase(sweeps, chunks, ib, R, d, e, XL, FL, XR, FR);
    group_rows(wide, d, D);
    group_rows(wide, e, E);
    bdsdc_range(k, D, E, W, U, V);
    take_rows(0, large, W, s);
    unscale_values(sigma, s);
    take_columns(0, U, UK);
    unmtr_hb2st(ib, wide, XL, FL, UK, X);
    ormqr(Left, NoTrans, R, tauq, X);
    extend_rows(X, Y);
    if (G.m() > n) {
      ormqr(Left, NoTrans, G, tau, Y);
    }
    take_columns(0, V, VK);
    unmtr_hb2st(ib, wide, XR, FR, VK, Z);
    ge2gb_p(NoTrans, R, taup, Z);
  }
}

/// The `count` largest singular values s of A, descending, with their left vectors U and the adjoint VH of their right ones (LAPACK:
/// gesdd, gesvdx); count = 0: all min(m, n), and A = U diag(s) VH. A tall A becomes its triangular factor first, a wide one
/// its adjoint; then to a band of as many superdiagonals as a tile has columns, then bidiagonal, divide and conquer, and back. The
/// first of the largest components of each column of U (VH^H, where A is wide) is real and positive. NaN or Inf in A ends the run:
/// info = 1 of requireFinite.
#pragma tla algorithm shape(A(m, n), s(count > 0 ? count : min(m, n), 1), U(m, count > 0 ? count : min(m, n)), \
    VH(count > 0 ? count : min(m, n), n)) default(count : 0, sweeps : 8, chunks : 4, ib : 12, wide : 2) \
    requires(count >= 0, count <= m, count <= n, sweeps >= 1, chunks >= 1, ib >= 1, wide >= 1) \
    input(A : random, s : zero, U : zero, VH : zero) check(user(gesvd_residual(before(A), s, U, VH)))
template <typename T>
void gesvd(int count, int sweeps, int chunks, int ib, int wide, tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> U,
           tla::Matrix<T> VH) {
  tla::Workspace<T> G(max(A.m(), A.n()), min(A.m(), A.n()), A.nb());
  tla::Workspace<T> Y(max(A.m(), A.n()), s.m(), A.nb()), Z(min(A.m(), A.n()), s.m(), A.nb());
  tall_copy(A, G);
  gesvd_tall(sweeps, chunks, ib, wide, G, s, Y, Z);
  turn_pairs(Y, Z);
  place_vectors(Y, Z, U, VH);
}

/// gesvd without vectors (LAPACK: gesdd, jobz = 'N'): singular values of the bidiagonal matrix each for itself.
#pragma tla algorithm shape(A(m, n), s(count > 0 ? count : min(m, n), 1)) default(count : 0, sweeps : 8, chunks : 4) \
    requires(count >= 0, count <= m, count <= n, sweeps >= 1, chunks >= 1) \
    input(A : random, s : zero) check(user(gesvd_values_residual(before(A), s)))
template <typename T>
void gesvd_values(int count, int sweeps, int chunks, tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> s) {
  using Real = tla::RealType<T>;
  const int n = min(A.m(), A.n()), nb = A.nb();
  tla::Workspace<T> G(max(A.m(), A.n()), n, nb), R(n, n, nb), tau(n, 1, nb), tauq(n, 1, nb), taup(n, 1, nb);
  tla::Workspace<Real> sigma(1, 1, 1, 1), d(n, 1, nb), e(n, 1, nb), D(2 * n, 1, 2 * nb), E(2 * n, 1, 2 * nb);
  if (n > 0) {
    tall_copy(A, G);
    scale_all(G, sigma);
    if (G.m() > n) {
      geqrf(G, tau);
    }
    square_part(G, R);
    ge2gb(R, tauq, taup);
    gb2bd_values(sweeps, chunks, R, d, e);
    for (int t = 0; t < d.mt(); ++t) {
      #pragma tla task
      golubKahan(d(t, 0), e(t, 0), D(t, 0), E(t, 0));
    }
    for (int t = 0; t < s.mt(); ++t) {
      #pragma tla task
      sturmDescending(2 * n - t * nb - s(t, 0).m(), D.panel(0, D.mt(), 0), E.panel(0, E.mt(), 0), s(t, 0));
    }
    for (int t = 1; t < s.mt(); ++t) {
      #pragma tla task
      sturmDescend(s(t - 1, 0), s(t, 0));
    }
    unscale_values(sigma, s);
  }
}

/// r = the largest of |A V - U S|_F and |A^H U - V S|_F over (max(m, n) |A|_F eps), |I - U^H U|_F / (m eps) and |I - V^H V|_F /
/// (n eps), V = VH^H; NaN unless s descends to zero.
#pragma tla algorithm shape(A(m, n), s(k, 1), U(m, k), VH(k, n), r(1, 1))
template <typename T>
void gesvd_residual(tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> U, tla::Matrix<T> VH, tla::Matrix<T> r) {
  tla::Workspace<T> V(A.n(), s.m(), A.nb()), D(A.m(), s.m(), A.nb()), E(A.n(), s.m(), A.nb()), size(1, 1, 1, 1), other(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int i = 0; i < A.mt(); ++i) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      addSquares(A(i, j), size(0, 0));
    }
  }
  for (int i = 0; i < V.mt(); ++i) {
    for (int j = 0; j < V.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), VH(j, i), V(i, j));
    }
  }
  triplet_difference(NoTrans, A, s, V, U, D);
  triplet_difference(ConjTrans, A, s, U, V, E);
  scaled_norm(D, size, r);
  scaled_norm(E, size, other);
  #pragma tla task
  keepLargerResidual(other(0, 0), r(0, 0));
  orthogonality(U, r);
  orthogonality(V, r);
  if (s.mt() > 0) {
    #pragma tla task
    requireDescending(s.panel(0, s.mt(), 0), r(0, 0));
  }
}

/// All singular values of A, computed again, have its norm, and their squares that of A^H A; s are the first of them: r = the largest
/// difference over max(m, n) |A|_F eps; NaN unless s descends to zero.
#pragma tla algorithm shape(A(m, n), s(k, 1), r(1, 1)) requires(s.m() <= A.m(), s.m() <= A.n())
template <typename T>
void gesvd_values_residual(tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> r) {
  const int n = min(A.m(), A.n()), nb = A.nb();
  tla::Workspace<T> C(max(A.m(), A.n()), n, nb), H(n, n, nb), size(1, 1, 1, 1), fourth(1, 1, 1, 1);
  tla::Workspace<tla::RealType<T>> v(n, 1, nb), sigma(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  #pragma tla task
  laset(T(0), T(0), fourth(0, 0));
  if (n > 0) {
    tall_copy(A, C);
    scale_all(C, sigma);
    for (int j = 0; j < C.nt(); ++j) {
      for (int i = 0; i < C.nt(); ++i) {
        #pragma tla task
        laset(T(0), T(0), H(i, j));
        for (int l = 0; l < C.mt(); ++l) {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(1), C(l, i), C(l, j), T(1), H(i, j));
        }
        #pragma tla task
        addSquares(H(i, j), fourth(0, 0));
      }
      for (int l = 0; l < C.mt(); ++l) {
        #pragma tla task
        addSquares(C(l, j), size(0, 0));
      }
    }
    gesvd_values(0, 1, 1, C, v);
    if (s.mt() > 0) {
      #pragma tla task
      judgeSingularValues(C.m(), sigma(0, 0), v.panel(0, v.mt(), 0), s.panel(0, s.mt(), 0), size(0, 0), fourth(0, 0), r(0, 0));
      #pragma tla task
      requireDescending(s.panel(0, s.mt(), 0), r(0, 0));
    }
  }
}
