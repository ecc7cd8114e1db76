// Each call of an algorithm has workspaces of its own: what an earlier call wrote is not there.
// MEND: Write the tile in each call, or pass the algorithm a workspace that the caller makes before its loop.
// RUN: not %hetc check %s --algorithm wrong 2>&1 | FileCheck %s
// RUN: %hetc check %s --algorithm passed | FileCheck %s --check-prefix=FINE
// RUN: %hetc --emit=ir %s --algorithm passed | FileCheck %s --check-prefix=CALLERS
// RUN: not %hetc run %s --algorithm hidden -n 40 --nb 8 --quiet 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: not %hetc run %s --algorithm hidden -n 40 --nb 8 --quiet --devices emulated:2 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: %hetc run %s --algorithm hidden -n 40 --nb 8 --set t=0 --quiet --serial --output A=%t.serial.npy && %hetc run %s --algorithm hidden -n 40 --nb 8 --set t=0 --quiet --output A=%t.run.npy && cmp %t.serial.npy %t.run.npy
// CHECK: earlier-call.tla:[[@LINE+14]]:{{[0-9]+}}: error: for k = 1 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote
// FINE: passed: fine
// CALLERS: Workspace<d> V(1, 1, A.nb(), A.nb()) @
// STOPPED: hetc: hidden: read without content: tile W(0, 0), which no earlier task wrote
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n))
template <typename T> void step(int k, int first, tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  if (k == first) {
    #pragma tla task
    laset(T(0), T(1), W(0, 0));
  }
  #pragma tla task
  geadd(T(1), W(0, 0), T(1), A(k, k));
}

#pragma tla algorithm shape(A(n, n)) requires(n % A.nb() == 0) input(A : zero)
template <typename T> void wrong(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
    step(k, 0, A);
}

#pragma tla algorithm shape(A(n, n), W(1, 1, A.nb(), A.nb()))
template <typename T> void stepOf(int k, tla::Workspace<T> W, tla::Matrix<T> A) {
  if (k == 0) {
    #pragma tla task
    laset(T(0), T(1), W(0, 0));
  }
  #pragma tla task
  geadd(T(1), W(0, 0), T(1), A(k, k));
}

#pragma tla algorithm shape(A(n, n)) requires(n % A.nb() == 0) input(A : zero)
template <typename T> void passed(tla::Matrix<T> A) {
  tla::Workspace<T> V(1, 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k)
    stepOf(k, V, A);
}

// Nothing is proved of a product of k.
#pragma tla algorithm shape(A(n, n)) requires(n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void hidden(int t, tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
    step(k, k - k * t % 3, A);
}
