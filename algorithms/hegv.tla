#include "cholesky.tla"
#include "heev.tla"
#include "hegst.tla"

/// Eigenvalues w, ascending, and eigenvectors Z of a Hermitian A and a Hermitian positive definite B (LAPACK: hegvd): of A x = lambda B x
/// (itype = 1), A B x = lambda x (2), B A x = lambda x (3). The vectors are orthonormal with respect to B, for itype = 3 to its inverse,
/// but for the last step's scaling by a number of modulus one, as heev's. A is overwritten, B by its Cholesky factor. Where B is not
/// positive definite the run ends: info of potrf, to which LAPACK's hegvd adds n.
#pragma tla algorithm shape(A(n, n), B(n, n), w((iu > 0 ? iu : n) - il + 1, 1), Z(n, (iu > 0 ? iu : n) - il + 1)) \
    default(itype : 1, il : 1, iu : 0, sweeps : 8, chunks : 4, ib : 12, wide : 2) \
    requires(itype >= 1, itype <= 3, il >= 1, iu >= 0, iu <= n, il <= (iu > 0 ? iu : n) + 1, sweeps >= 1, chunks >= 1, ib >= 1, wide >= 1) \
    input(A : hermitian, B : spd, w : zero, Z : zero) check(user(hegv_residual(itype, before(A), before(B), B, w, Z)))
template <typename T>
void hegv(int itype, int il, int iu, int sweeps, int chunks, int ib, int wide, tla::LowerMatrix<T> A, tla::LowerMatrix<T> B,
          tla::Matrix<tla::RealType<T>> w, tla::Matrix<T> Z) {
  cholesky(B);
  hegst(itype, A, B);
  heev_vectors(il, iu, sweeps, chunks, ib, wide, A, w, Z);
  if (itype == 3) {
    multiply_lower(B, Z);
  } else {
    solve_lower_adjoint(B, Z);
  }
  turn_vectors(Z);
}

/// hegv without vectors.
#pragma tla algorithm shape(A(n, n), B(n, n), w((iu > 0 ? iu : n) - il + 1, 1)) default(itype : 1, il : 1, iu : 0, sweeps : 8, chunks : 4) \
    requires(itype >= 1, itype <= 3, il >= 1, iu >= 0, iu <= n, il <= (iu > 0 ? iu : n) + 1, sweeps >= 1, chunks >= 1) \
    input(A : hermitian, B : spd, w : zero) check(user(hegv_values_residual(itype, il, before(A), B, w)))
template <typename T>
void hegv_values(int itype, int il, int iu, int sweeps, int chunks, tla::LowerMatrix<T> A, tla::LowerMatrix<T> B,
                 tla::Matrix<tla::RealType<T>> w) {
  cholesky(B);
  hegst(itype, A, B);
  heev_values(il, iu, sweeps, chunks, A, w);
}

/// r = the larger of the problem's residual, as |A Z - B Z diag(w)|_F / (n |A|_F |Z|_F eps), for itype = 2 and 3 over |B|_F as well, and of
/// |I - Y^H Y|_F / (n eps) with Y = L^H Z, for itype = 3 L^-1 Z; NaN unless w ascends. L is the factor that hegv left of B.
#pragma tla algorithm shape(A(n, n), B(n, n), L(n, n), w(k, 1), Z(n, k), r(1, 1)) requires(itype >= 1, itype <= 3)
template <typename T>
void hegv_residual(int itype, tla::LowerMatrix<T> A, tla::LowerMatrix<T> B, tla::LowerMatrix<T> L, tla::Matrix<tla::RealType<T>> w,
                   tla::Matrix<T> Z, tla::Matrix<T> r) {
  tla::Workspace<T> D(Z.m(), Z.n(), Z.nb()), E(Z.m(), Z.n(), Z.nb()), Y(Z.m(), Z.n(), Z.nb());
  tla::Workspace<T> size(1, 1, 1, 1), more(1, 1, 1, 1);
  const auto inner = itype == 3 ? A : B;
  const auto outer = itype == 2 ? A : B;
  hermitian_product(inner, Z, E);
  if (itype == 1) {
    hermitian_product(A, Z, D);
    subtract_scaled(w, E, D);
  } else {
    hermitian_product(outer, E, D);
    subtract_scaled(w, Z, D);
  }
  hermitian_norm(A, size);
  #pragma tla task
  laset(T(0), T(0), more(0, 0));
  for (int j = 0; j < Z.nt(); ++j) {
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      addSquares(Z(i, j), more(0, 0));
      #pragma tla task
      omatcopy(NoTrans, T(1), Z(i, j), Y(i, j));
    }
  }
  #pragma tla task
  timesNorm(more(0, 0), size(0, 0));
  if (itype > 1) {
    hermitian_norm(B, more);
    #pragma tla task
    timesNorm(more(0, 0), size(0, 0));
  }
  scaled_norm(D, size, r);
  if (itype == 3) {
    solve_lower(L, Y);
  } else {
    multiply_lower_adjoint(L, Y);
  }
  orthogonality(Y, r);
  if (w.mt() > 0) {
    #pragma tla task
    requireAscending(w.panel(0, w.mt(), 0), r(0, 0));
  }
}

/// heev_values_residual of the standard form of A, by hegst, which has a check of its own, from the factor that hegv_values left of B.
#pragma tla algorithm shape(A(n, n), L(n, n), w(k, 1), r(1, 1)) requires(itype >= 1, itype <= 3, il >= 1, il + w.m() <= A.n() + 1)
template <typename T>
void hegv_values_residual(int itype, int il, tla::LowerMatrix<T> A, tla::LowerMatrix<T> L, tla::Matrix<tla::RealType<T>> w,
                          tla::Matrix<T> r) {
  hegst(itype, A, L);
  heev_values_residual(il, A, w, r);
}
