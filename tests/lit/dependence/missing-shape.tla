// RUN: not %hetc check --algorithm product %s 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not %hetc check --algorithm fits %s 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: not %hetc check --algorithm negative %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
#include <tla/tla.hpp>

// Where a size is wrong of which nobody has said anything, that is said.
#pragma tla algorithm shape(A(m, k), C(m, n))
template <typename T>
// PRODUCT: missing-shape.tla:[[@LINE+7]]:{{[0-9]+}}: error: for {{.*}} this reads B(
// PRODUCT: missing-shape.tla:[[@LINE+1]]:{{[0-9]+}}: note: no shape says how large 'B' is, so it is taken to be m x n; if it is not, say so in '#pragma tla algorithm', as in shape(B(n, k))
void product(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
      }
}
#pragma tla algorithm shape(A(n, n))
// FITS: missing-shape.tla:[[@LINE+5]]:{{[0-9]+}}: error: {{.*}}trsm requires
// FITS: missing-shape.tla:[[@LINE+1]]:{{[0-9]+}}: note: no shape says how large 'B' is
template <typename T> void fits(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < min(A.mt(), B.mt()); ++i) {
    #pragma tla task
    trsm(Left, Lower, NoTrans, Unit, T(1), A(i, i), B(i, 0));
  }
}
#pragma tla algorithm requires(n >= 1)
template <typename T> void negative(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
// NEGATIVE: error: for i = 0 (A has 1 x 1 tiles) this writes A(-1, 0)
    #pragma tla task
    scal(T(2), A(i - 1, 0));
  }
}
// NEGATIVE-NOT: note
// MEND: Say the matrix' shape in `#pragma tla algorithm`: `shape(B(k, n))`.
// MEND: The same.
// MEND: Begin the loop where the index is inside, or guard the call by an `if`.
