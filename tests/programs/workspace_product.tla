#include "spoil.hpp"
#include <tla/tla.hpp>

/// C = (A B) (A B)^H, and D from tiles of S: products into fresh tiles, by all kernels that can; what C and D were counts for
/// nothing. Without requires(n >= 1) the first product would not write W.
#pragma tla algorithm shape(A(m, n), B(n, m), S(m, m), C(m, m), D(m, m)) requires(m >= 1, n >= 1) \
    input(A : random, B : random, S : random, C : zero, D : zero)
template <typename T>
void workspace_product(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> S, tla::Matrix<T> C, tla::Matrix<T> D) {
  tla::Workspace<T> W(A.m(), A.m(), A.nb());
  tla::Workspace<T> X(A.m(), A.m(), A.nb());
  tla::Workspace<T> Y(A.m(), A.m(), A.nb());
  tla::Workspace<T> Z(A.m(), A.m(), A.nb());
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      spoil(C(i, j));
      #pragma tla task
      spoil(D(i, j));
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), k == 0 ? T(0) : T(1), W(i, j));
      }
      #pragma tla task
      symm(Left, Lower, T(1), S(i, i), S(i, j), T(0), X(i, j));
      #pragma tla task
      hemm(Right, Upper, T(2), S(j, j), S(i, j), T(0.0), D(i, j));
      #pragma tla task
      geadd(T(2), S(i, j), T(0), Y(i, j));
    }
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      for (int k = 0; k < C.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(1), W(i, k), W(j, k), k > 0 ? T(1) : T(0), C(i, j));
      }
      #pragma tla task
      gemm(ConjTrans, NoTrans, T(1), X(0, i), Y(0, j), T(1), D(i, j));
      #pragma tla task
      scal(T(0), Z(i, j));
      #pragma tla task
      geadd(T(1), Z(i, j), T(1), D(i, j));
    }
}
