// RUN: not %hetc check --algorithm f %s 2>&1 | FileCheck %s
// RUN: not %hetc check --algorithm g %s 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not %hetc check --algorithm h %s 2>&1 | FileCheck %s --check-prefix=UNDERSCORES
// RUN: %hetc run --algorithm k %s -n 30 --nb 8 --quiet --output A=%t.k.npy && %hetc run --algorithm k %s -n 30 --nb 8 --quiet --serial --output A=%t.s.npy && cmp %t.k.npy %t.s.npy
#include <tla/tla.hpp>

// CHECK: reserved-parameter.tla:[[@LINE+2]]:57: error: 'n' is the name of a size here
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A, int n) {}
// OWN: reserved-parameter.tla:[[@LINE+2]]:50: error: 'values' has a meaning of its own here; give the parameter another name
#pragma tla algorithm
template <typename T> void g(tla::LowerMatrix<T> values) {}

// UNDERSCORES: reserved-parameter.tla:[[@LINE+2]]:57: error: 'part__' has a meaning of its own here; give the parameter another name
#pragma tla algorithm
template <typename T> void h(tla::LowerMatrix<T> A, int part__) {}
// Loop variables and workspaces are renamed.
#pragma tla algorithm shape(A(n, n)) input(A : random)
template <typename T> void k(tla::Matrix<T> A) {
  tla::Workspace<T> A__tiles(A.m(), A.n(), A.nb());
  for (int part__ = 0; part__ < A.mt(); ++part__)
    for (int x__ = 0; x__ < A.nt(); ++x__) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(part__, 0), A(0, x__), T(0), A__tiles(part__, x__));
      #pragma tla task
      geadd(T(2), A__tiles(part__, x__), T(1), A(part__, x__));
    }
}

// MEND: Give the parameter another name.
