// LU with partial pivoting: panels, pivots in tiles of int, min in a shape.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %hetc --emit=cpp %s | FileCheck %s --check-prefix=CPP
// CHECK: getrf: fine (5 task statements)
// CPP: constexpr rt::TaskClass getrf__0 = {{.*}}, true};
// CPP: rt::append(tasks, getrf__0, -k, {k, A.nb(), max(0, A.mt() - k)}, accesses__);
// CPP: {"A", tla::Shape::General, rt::ElementType::D, rows_A, cols_A, "m x n", "random", generator_A, 0, true, true, nullptr, false, nullptr},
// CPP-NEXT: {"ipiv", tla::Shape::General, rt::ElementType::I, rows_ipiv, cols_ipiv, "min(m, n) x 1", "", generator_ipiv, 0, true, false, nullptr, false, nullptr},
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n), ipiv(min(m, n), 1)) input(A : random) check(plu(A, ipiv))
template <typename T> void getrf(tla::Matrix<T> A, tla::Matrix<int> ipiv) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    getrf(k * A.nb(), A.panel(k, A.mt(), k), ipiv(k, 0));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      laswp(k * A.nb(), ipiv(k, 0), 1, A.panel(k, A.mt(), j));
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A(k, k), A(k, j));
      for (int i = k + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, k), A(k, j), T(1), A(i, j));
      }
    }
    for (int j = 0; j < k; ++j) {
      #pragma tla task
      laswp(k * A.nb(), ipiv(k, 0), 1, A.panel(k, A.mt(), j));
    }
  }
}
