// Loops that an element ends: the bits of the serial elision whatever their first value is, an info ends them, and a bound
// beyond all that is run costs nothing.
// RUN: rm -rf %t && mkdir %t
// RUN: for f in compared chosen; do for p in 3 7; do %hetc run %s --algorithm $f -n 10 --nb 3 --set p=$p --no-check --quiet --serial --output A=%t/serial.npy && %hetc run %s --algorithm $f -n 10 --nb 3 --set p=$p --no-check --quiet --threads 2 --output A=%t/run.npy && cmp %t/serial.npy %t/run.npy || exit 1; done; done
// RUN: %hetc --emit=header --algorithm chosen %s | FileCheck %s --check-prefix=HEADER
// RUN: not %hetc run %s --algorithm failing -n 6 --nb 3 --threads 1 --json 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: %hetc run %s --algorithm compared -n 10 --nb 3 --set p=2000000000 --devices emulated:1 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: for p in 7 8; do %hetc run %s --algorithm chosen -n 10 --nb 3 --set p=$p --no-check --threads 1 --json > %t/run.json 2> %t/run.err && %hetc cost %s --algorithm chosen -n 10 --nb 3 --set p=$p --dist 2dbc:1x1 --json --quiet --iterations $(grep -o '"run":[0-9]*' %t/run.json | cut -d: -f2) > %t/cost.json && grep -q "$(grep -o '"tasks":[0-9]*,' %t/run.json | head -1)\"flops" %t/cost.json || exit 1; done
// RUN: %hetc cost %s --algorithm compared -n 10 --nb 3 --set p=3 --dist 2dbc:1x1 --json --quiet --iterations 2 | FileCheck %s --check-prefix=TWO
// RUN: not %hetc cost %s --algorithm compared -n 10 --dist 2dbc:1x1 --iterations 0 2>&1 | FileCheck %s --check-prefix=NONE
// TWO: "nodes":1,"tasks":2,
// NONE: --iterations must be a number from 1 to
#include "Inputs/until.hpp"

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : zero)
template <typename T> void compared(int p, tla::Matrix<T> A) {
  for (int i = p < 5; i < p + 4; ++i) {
    #pragma tla task
    bump(T(i), A(0, 0));
    if (tla::value(A) > T(6))
      break;
  }
}
// BOUND: loop 5 iterations, ended by until.tla:[[@LINE-4]]

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : zero)
template <typename T> void chosen(int p, tla::Matrix<T> A) {
  for (int i = p > 3 ? 40 : 2; i > p || i > 9; i -= 3) {
    #pragma tla task
    bump(T(i), A(0, 0));
  }
  for (int i = p > 3 ? 40 : 2; i > -p; i -= 3) {
    #pragma tla task
    bump(T(i), A(0, 0));
    if (tla::value(A) > T(300))
      break;
    #pragma tla task
    bump(T(0.5), A(0, 0));
  }
}
// HEADER-NOT: __

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : zero)
template <typename T> void failing(tla::Matrix<T> A) {
  for (int s = 0; s < 9; ++s) {
    #pragma tla task
    fail(s, A(0, 0));
    if (tla::value(A) > T(100))
      break;
  }
}
// FAILS: "iterations":{"run":2,"ended_early":false}
