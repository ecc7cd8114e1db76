#include <tla/tla.hpp>

/// C = alpha * op(A) * op(A)^T + beta * C, one triangle of the symmetric C (BLAS: syrk); op is NoTrans or Trans,
/// op(A) is n x k.
#pragma tla algorithm shape(A(op == NoTrans ? n : k, op == NoTrans ? k : n), C(n, n)) \
    default(uplo : Lower, op : NoTrans, alpha : 1, beta : 1) \
    requires(op != ConjTrans) input(A : random, C : random) check(syrk(uplo, op, alpha, A, beta, C))
template <typename T>
void syrk(Uplo uplo, Op op, T alpha, tla::Matrix<T> A, T beta, tla::Matrix<T> C) {
  const int kt = op == NoTrans ? A.nt() : A.mt();
  for (int i = 0; i < C.mt(); ++i) {
    if (kt == 0) {
      #pragma tla task
      lascl(uplo, beta, C(i, i));
    }
    for (int l = 0; l < kt; ++l) {
      #pragma tla task
      syrk(uplo, op, alpha, A(op == NoTrans ? i : l, op == NoTrans ? l : i), l == 0 ? beta : T(1), C(i, i));
    }
    const int begin = uplo == Lower ? 0 : i + 1;
    const int end = uplo == Lower ? i : C.nt();
    for (int j = begin; j < end; ++j) {
      if (kt == 0) {
        #pragma tla task
        scal(beta, C(i, j));
      }
      for (int l = 0; l < kt; ++l) {
        if (op == NoTrans) {
          #pragma tla task
          gemm(NoTrans, Trans, alpha, A(i, l), A(j, l), l == 0 ? beta : T(1), C(i, j));
        } else {
          #pragma tla task
          gemm(Trans, NoTrans, alpha, A(l, i), A(l, j), l == 0 ? beta : T(1), C(i, j));
        }
      }
    }
  }
}
