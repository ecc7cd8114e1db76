// An info after which a run goes on: everything that a run has is there, as of a run without one: its results, the report,
// the judgement, and both of each repetition. Only the exit code is that of an info.
// RUN: rm -rf %t && mkdir %t
// RUN: sh -c '%hetc run %s --algorithm plain -n 30 --nb 10 --output A=%t/plain.npy > %t/said 2> %t/errors; test $? -eq 3' && FileCheck %s --check-prefix=SAID < %t/said && FileCheck %s --check-prefix=ERROR < %t/errors
// RUN: %hetc run %s --algorithm plain -n 30 --nb 10 --serial --quiet --output A=%t/serial.npy && cmp %t/serial.npy %t/plain.npy
// RUN: sh -c '%hetc run %s --algorithm judged -n 30 --nb 10 --repeat 2 --trace %t/trace.json --json 2> %t/errors; test $? -eq 3' | FileCheck %s --check-prefix=JSON
// RUN: test -s %t/trace.json
// RUN: sh -c '%hetc run %s --algorithm judged -n 30 --nb 10 --set wrong=1 2> %t/errors; test $? -eq 3' | FileCheck %s --check-prefix=WRONG
// RUN: for d in none emulated:2; do %hetc run %s --algorithm in_parts -n 30 --nb 10 --devices $d --quiet --output A=%t/$d.npy; test $? -eq 3 || exit 1; done; cmp %t/none.npy %t/emulated:2.npy
// RUN: sh -c '%hetc run %s --algorithm stops -n 30 --nb 10 --json --output A=%t/stops.npy 2> %t/errors; test $? -eq 3' | FileCheck %s --check-prefix=STOPS
// RUN: test ! -e %t/stops.npy
#include <tla/tla.hpp>

#pragma tla kernel info(continue)
template <typename T> int mark(int i, tla::Tile<T> A) {
  A(0, 0) = T(1);
  return i == 1 ? 5 : 0;
}
#pragma tla kernel
template <typename T> int stop(int i, tla::Tile<T> A) { return i == 2 ? 3 : 0; }
#pragma tla kernel
template <typename T> void spoil(tla::Tile<T> A) { A(1, 0) = T(7); }

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : zero)
template <typename T> void plain(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    mark(i, A(i, i));
  }
}
// SAID: plain, double: n = 30
// SAID: info 15, after which the run went on: its results are complete
// SAID: residual not checked (the algorithm names no check)
// ERROR: hetc: plain: mark returned info = 15 (mark on A(1, 1), info-continues.tla:[[@LINE-6]])

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : spd) default(wrong : 0) check(llt(A))
template <typename T> void judged(int wrong, tla::LowerMatrix<T> A) {
  tla::Workspace<T> W(A.mt(), 1, A.nb(), 1);
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    laset(T(0), T(0), W(k, 0));
    #pragma tla task
    mark(k, W(k, 0));
    #pragma tla task
    potrf(Lower, A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      herk(Lower, NoTrans, -1, A(j, k), 1, A(j, j));
      for (int i = j + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), A(i, k), A(j, k), T(1), A(i, j));
      }
    }
  }
  if (wrong == 1) {
    #pragma tla task
    spoil(A(0, 0));
  }
}
// JSON: "seconds":{{.*}},"passed":true,"info":5,{{.*}}"repeat":2,{{.*}}"error":"judged: mark returned info = 5
// WRONG: info 5, after which
// WRONG-NEXT: residual {{.*}} FAILED

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : zero)
template <typename T> void in_parts(tla::Matrix<T> A) {
  for (int s = 0; s < 9; ++s) {
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      mark(s + i, A(i, i));
      #pragma tla task
      scal(T(2), A(i, i));
    }
    if (tla::value(A) > T(1))
      break;
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : zero)
template <typename T> void stops(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    mark(i, A(i, i));
  }
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    stop(i, A(i, i));
  }
}
// STOPS: "passed":false,"info":15
