// RUN: %hetc check --algorithm right %s 2>&1 | FileCheck %s
// RUN: not %hetc check --algorithm wrong %s 2>&1 | FileCheck %s --check-prefix=WRONG
// A shape that is computed from another one is unknown to the proofs: what cannot be proved is a remark, what is wrong
// for some real size is an error.
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n / 2, n))
template <typename T> void right(tla::Matrix<T> A) {
  for (int k = 0; k < A.mt(); ++k) {
    #pragma tla task
// CHECK: derived-shape.tla:[[@LINE+1]]:16: remark: hetc cannot prove that this access is always right; the runtime checks it
    scal(T(2), A(k, 0));
  }
}
// CHECK: right: not all indices are proved
#pragma tla algorithm shape(A(n / 2, n))
template <typename T> void wrong(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
// WRONG: derived-shape.tla:[[@LINE+1]]:16: error: for k = 0 (A has 0 x 1 tiles) this writes A(0, 0)
    scal(T(2), A(k, 0));
  }
}

// MEND: Bound the loop by the tiles of the matrix that is indexed, or require that there is a tile: `requires(n >= 1)`.
