// RUN: not %hetc run --algorithm deep %s -n 4 --set levels=5000 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %hetc run --algorithm deep %s -n 4 --set levels=5000 --serial --quiet 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %hetc cost --algorithm deep %s -n 4 --set levels=5000 --dist 2dbc:2x1 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %hetc run --algorithm pairs %s -n 12 --nb 4 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: not %hetc run --algorithm pairs %s -n 24 --nb 4 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: %hetc run --algorithm pairs %s -n 16 --nb 4 --split 2 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not %hetc run --algorithm pairs %s -n 16 --nb 4 --tasks octal 2>&1 | FileCheck %s --check-prefix=OCTAL
// RUN: not %hetc run --algorithm pairs %s -n 16 --nb 4 --copies 2 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: %hetc graph --algorithm pairs %s -n 4 | FileCheck %s --check-prefix=GRAPH
// RUN: not %hetc --emit=deps --algorithm pairs %s 2>&1 | FileCheck %s --check-prefix=DEPS
// RUN: not %hetc --emit=nodes --dist 2dbc:2x1 --algorithm pairs %s 2>&1 | FileCheck %s --check-prefix=NODES
#include <tla/tla.hpp>

#pragma tla algorithm input(A : spd)
template <typename T> void deep(int levels, tla::LowerMatrix<T> A) {
  if (levels > 0)
    deep(levels - 1, A);
  else {
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      potrf(Lower, A(k, k));
    }
  }
}
// DEEP: recursion.tla:[[@LINE-10]]: more than 1000 calls are inside one another, the last one of deep: it calls itself without end, or with ranges that are hardly smaller; call it with halves, and not at all with one tile

// Each call asks for an even number of elements.
#pragma tla algorithm requires(n % 8 == 0) input(A : spd)
template <typename T> void pairs(tla::LowerMatrix<T> A) {
  if (A.nt() > 2) {
    pairs(A.tiles(0, A.nt() / 2));
    pairs(A.tiles(A.nt() / 2, A.nt()));
  } else {
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      potrf(Lower, A(k, k));
    }
  }
}
// PAIRS: hetc: pairs requires A.m() % 8 == 0, but A is 12 x 12
// INNER: hetc: pairs, which calls pairs, requires
// SPLIT: remark: 'pairs' runs on whole tiles, not on slices: it calls an algorithm that calls itself, and what its kernels are given is not proved to fit slices
// OCTAL: recursion.tla:[[@LINE-14]]:28: error: --tasks octal is for programs without algorithms that call themselves, as 'pairs' does
// COPIES: recursion.tla:[[@LINE-15]]:28: error: copies of the nodes are for programs without algorithms that call themselves, as 'pairs' does
// GRAPH: potrf
// DEPS: remark: 'pairs' calls itself, so how deep its calls are decides what its tasks touch; 'pairs' runs in replay mode and its indices are not proved
// DEPS: hetc: no dependences to print: 'pairs' calls itself, so how deep its calls are decides what its tasks touch
// NODES: hetc: no loops for nodes to print: 'pairs' calls itself
// MEND: Deal the updates of a program whose algorithms do not call themselves, or leave out `--tasks octal`.
// MEND: Deal the updates of a program whose algorithms do not call themselves, or leave out `--copies`.
