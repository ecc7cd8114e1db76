// RUN: %hetc --emit=ir --algorithm elementTypes %s | FileCheck %s
// RUN: %hetc check --algorithm elementTypes %s
#include <tla/tla.hpp>

#pragma tla kernel requires(A.m() == F.m() && A.n() == F.n())
template <typename T> void narrow(tla::ConstTile<T> A, tla::OutTile<float> F) {
  for (int j = 0; j < F.n(); ++j)
    for (int i = 0; i < F.m(); ++i)
      F(i, j) = static_cast<float>(A(i, j));
}

// Called with float in a program of double; bool and numbers of any type are parameters of what others call.
#pragma tla algorithm
template <typename T> void scaled(bool twice, double factor, tla::LowerMatrix<T> L) {
  if (twice) {
    #pragma tla task
    trsm(Right, tla::Lower, tla::ConjTrans, tla::Diag::NonUnit, T(factor), L(0, 0), L(1, 0));
  }
}
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1)
template <typename T> void elementTypes(tla::Matrix<T> A, tla::Matrix<T> B, tla::LowerMatrix<float> M) {
  tla::Workspace<float> F(2, 2, A.nb(), A.nb());
  for (int j = 0; j < 2; ++j)
    for (int i = j; i < 2; ++i) {
      #pragma tla task
      laset(1.0f, 2.0f, F(i, j));
    }
  scaled(A.m() > 3, 0.5, tla::LowerMatrix(F));
// One tile twice, to kernels that read it both times.
  #pragma tla task
  gemm(tla::NoTrans, tla::Op::Trans, T(1), B(0, 0), B(0, 0), T(0), A(0, 0));
}
// CHECK: LowerMatrix<s> M(n, n)
// CHECK-NEXT: Workspace<s> F(2, 2, A.nb(), A.nb())
// CHECK: laset(float(1.0), float(2.0), write F(i, j))
// CHECK: if (A.m() > 3)
// CHECK-NEXT: task 1 tla::trsm(Right, Lower, ConjTrans, NonUnit, float(0.5), read F(0, 0), rw F(1, 0))
// CHECK: task 2 tla::gemm(NoTrans, Trans, T(1), read B(0, 0), read B(0, 0), T(0), write A(0, 0))
