// What an algorithm requires holds of its calls, too: it is asked of the caller's arguments before it runs, where the call is
// reached; what no argument decides is refused.
// RUN: %hetc --emit=ir %s --algorithm outer | FileCheck %s
// RUN: not %hetc check %s --algorithm wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %hetc check %s --algorithm looped 2>&1 | FileCheck %s --check-prefix=LOOPED
// RUN: %hetc check %s --algorithm tall
// RUN: not %hetc check %s --algorithm any 2>&1 | FileCheck %s --check-prefix=ANY
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n)) requires(n <= m, b >= 1) default(b : 1)
template <typename T> void inner(int b, tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j) {
    #pragma tla task
    scal(T(2), A(j, j));
  }
}

// CHECK: requires(X.n() <= X.m()) of inner
// CHECK-NEXT: requires(p >= 1) of inner
// CHECK-NEXT: requires(!(p > 3) || Y.n() <= Y.m()) of inner
// CHECK-NEXT: kernel
#pragma tla algorithm shape(X(k, n), Y(n, n))
template <typename T> void outer(int p, tla::Matrix<T> X, tla::Matrix<T> Y) {
  inner(p, X);
  inner(p, X);
  if (p > 3) {
    inner(2, Y);
  }
  if (false) {
    inner(0, Y);
  }
}

#pragma tla algorithm shape(X(m, n))
template <typename T> void wrong(tla::Matrix<T> X) {
  // WRONG: called-requirements.tla:[[@LINE+2]]:3: error: 'inner' requires b >= 1, which does not hold in this call: 0 >= 1
  // WRONG: note: in 'inner', called here
  inner(0, X);
}

#pragma tla algorithm shape(X(m, n))
template <typename T> void looped(tla::Matrix<T> X) {
  for (int i = 0; i < X.mt(); ++i) {
    // LOOPED: called-requirements.tla:[[@LINE+1]]:5: error: 'inner' requires b >= 1, which is i >= 1 here: loops or workspaces decide that, and what an algorithm requires is checked before it runs; require what holds for all of these calls
    inner(i, X);
  }
}

// Proved with what the callee requires.
#pragma tla algorithm shape(X(m, n))
template <typename T> void tall(tla::Matrix<T> X) {
  inner(1, X);
}

#pragma tla algorithm shape(A(m, n))
template <typename T> void innermost(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j) {
    // ANY: called-requirements.tla:[[@LINE+2]]:16: error: for j = 0 (X has 0 x 1 tiles) this writes X(0, 0)
    #pragma tla task
    scal(T(2), A(j, j));
  }
}
#pragma tla algorithm shape(X(m, n))
template <typename T> void between(tla::Matrix<T> X) { innermost(X); }
// An error inside an algorithm that others call shows the calls.
// ANY: note: in 'innermost', called here
// ANY: note: in 'between', called here
#pragma tla algorithm shape(X(m, n))
template <typename T> void any(tla::Matrix<T> X) {
  between(X);
}

// MEND: Pass an argument that meets the requirement.
// MEND: Require in the caller what holds for all calls, or take the loop out of the requirement.
// MEND: Require that there is a tile: `requires(n >= 1)`.
