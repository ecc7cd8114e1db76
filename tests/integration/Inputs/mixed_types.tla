// Matrices of several element types in one program, whatever its own: rules and inlined algorithms have the type of their
// tiles.
#include <complex>
#include <tla/split.hpp>
#include <tla/tla.hpp>

/// B is A in single precision, its real part.
#pragma tla kernel
template <typename T> void demote(tla::ConstTile<T> A, tla::Tile<float> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) = static_cast<float>(std::real(A(i, j)));
}
namespace tla::split {
#pragma tla split
template <typename T> void demote(CutTile<T> A, CutTile<float> B) {
  for (int d = 0; d < B.slices(); ++d) {
    #pragma tla task
    ::demote(A.slice(d), B.slice(d));
  }
}
} // namespace tla::split

/// A = alpha / 2 A: with alpha = 1 no division of integers.
#pragma tla kernel
template <typename T> void halve(tla::RealType<T> alpha, tla::Tile<T> A) { tla::scal<T>(T(alpha / 2), A); }
namespace tla::split {
#pragma tla split
template <typename T> void halve(RealType<T> alpha, CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    scal(T(alpha / 2), A.slice(d));
  }
}
} // namespace tla::split

/// In whatever type: A = 2 A - A (A^T A / 4 - I), by tiles that lie on a diagonal.
#pragma tla algorithm shape(A(n, n))
template <typename T> void polish(tla::Matrix<T> A) {
  tla::Workspace<T> V(A.m(), A.n(), A.nb());
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    omatcopy(NoTrans, T(1), A(i, i), V(i, i));
    #pragma tla task
    laset(T(0), T(1), W(i, i));
    #pragma tla task
    gemm(Trans, NoTrans, T(0.25), A(i, i), V(i, i), T(-1), W(i, i));
    #pragma tla task
    gemm(NoTrans, NoTrans, T(-1), V(i, i), W(i, i), T(2), A(i, i));
  }
}

#pragma tla algorithm shape(A(n, n), F(n, n), D(n, n), C(n, n), Z(n, n), L(n, n), p(n, 1)) input(A : random, L : dominant)
template <typename T>
void mixed_types(T alpha, tla::RealType<T> beta, tla::Matrix<T> A, tla::Matrix<float> F, tla::Matrix<double> D,
                 tla::Matrix<std::complex<float>> C, tla::Matrix<std::complex<double>> Z, tla::Matrix<float> L,
                 tla::Matrix<int> p) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      demote(A(i, j), F(i, j));
      #pragma tla task
      scal(alpha, A(i, j));
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, 1.0f, L(j, j), F(i, j));
      #pragma tla task
      halve(beta > 0 ? 1 : 2, A(i, j));
      #pragma tla task
      halve(1, F(i, j));
    }
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    herk(Lower, NoTrans, -1, L(i, i), 1, F(i, i));
    for (int j = i + 1; j < A.nt(); ++j) {
      #pragma tla task
      gemm(NoTrans, ConjTrans, -1.0, D(i, i), D(j, i), 0.5, D(i, j));
      #pragma tla task
      gemm(ConjTrans, ConjTrans, std::complex<float>(0.5f), C(i, i), C(j, i), std::complex<float>(1), C(i, j));
      #pragma tla task
      trmm(Left, Upper, ConjTrans, NonUnit, std::complex<double>(2), Z(i, i), Z(i, j));
      #pragma tla task
      halve(1, Z(i, j));
    }
  }
  polish(F);
  polish(C);
}
