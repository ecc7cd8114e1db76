// An element ends a loop: the test stands in the IR, proofs are of any end, code is made for the parts.
// RUN: %hetc --emit=ir %s | FileCheck %s --check-prefix=IR
// RUN: %hetc check %s
// RUN: %hetc --emit=cpp --dist 2dbc:1x2 %s | FileCheck %s --check-prefix=CPP
// RUN: %hetc run %s -n 40 --nb 8 --json 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: %hetc run %s -n 40 --nb 8 --set limit=1000 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %hetc run %s -n 40 --nb 8 --set rounds=0 --json 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %hetc cost %s -n 40 --nb 8 --dist 2dbc:1x2 --json | FileCheck %s --check-prefix=COST
#include <tla/tla.hpp>

/// Each round adds a half of what A had to it, until its first element is above the limit.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1) default(rounds : 5, limit : 2) input(A : identity)
template <typename T> void grow(int rounds, T limit, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  tla::Matrix<T> from = A, to = W;
  for (int i = 2; i <= rounds + 1; ++i) {
    for (int t = 0; t < A.nt(); ++t) {
      #pragma tla task
      geadd(T(1.5), from(t, t), T(0), to(t, t));
    }
    if (tla::value(A) > limit)
      break;
    swap(from, to);
  }
  for (int t = 0; t < A.nt(); ++t) {
    #pragma tla task
    scal(T(2), from(t, t));
  }
}
// IR: for (int i = 2; i <= rounds + 1; ++i)
// IR: if (tla::value(A) > limit) break;
// IR-NEXT: }
// IR-NEXT: for
// CPP: if (part__ == 3)
// CPP: bool isDone(const rt::Arguments &arguments) {
// CPP: return tla::value(A) > limit;
// EARLY: "iterations":{"run":2,"ended_early":true}
// ALL: loop 5 iterations, all of it: not ended by until.tla:
// NONE: "iterations":{"run":0,"ended_early":false}
// COST: "tasks":
