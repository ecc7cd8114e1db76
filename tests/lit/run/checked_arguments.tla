// Arguments that do not fit, or are one tile, for sizes that no search at compile time looks at: a fault of the run that names
// kernel, place and sizes, however it runs.
// RUN: sh -c '%hetc run %s -n 30 --nb 3 --threads 1 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 30 --nb 3 --threads 2 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 30 --nb 3 --devices emulated:1 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 30 --nb 3 --split 2 --slice 1 2>%t.err; test $? -eq 4' && FileCheck %s --check-prefix=SLICES < %t.err
// RUN: %hetc run %s -n 24 --nb 3
// RUN: sh -c '%hetc run %s --algorithm twice -n 30 --nb 3 --set p=1 2>%t.err; test $? -eq 4' && FileCheck %s --check-prefix=TWICE < %t.err
// RUN: %hetc run %s --algorithm twice -n 30 --nb 3 --set p=2
// RUN: sh -c '%hetc run %s --algorithm only_tall -m 5 -n 6 --nb 3 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=TALL < %t.err
// RUN: sh -c '%hetc run %s --algorithm only_tall -m 5 -n 6 --nb 3 --serial 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=TALL < %t.err
// RUN: %hetc run %s --algorithm only_tall -m 6 -n 5 --nb 3
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n)) input(A : random)
template <typename T> void checked_arguments(tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), 2);
  #pragma tla task
  laset(T(0), T(1), W(0, 0));
  if (A.nt() > 8) {
// CHECK: hetc: checked_arguments: {{(emulated:0: )?}}requires (opB == NoTrans ? B.n() : B.m()) == C.n(), but opB is NoTrans; B, which is W(0, 0), is 3 x 2; C, which is A(0, 0), is 3 x 3 (gemm on A(0, 0), checked_arguments.tla:[[@LINE+3]])
// SLICES: hetc: checked_arguments: requires {{.*}} (gemm on A(0, 0){{.*}}, checked_arguments.tla:[[@LINE+2]])
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), A(1, 1), W(0, 0), T(1), A(0, 0));
  }
}

// TWICE: hetc: twice: writes B, which is A(0, 0).rows(p - 1, 1) and shares elements with A, which is A(0, 0).rows(0, 1); a kernel that can take that says alias(B, A) (omatcopy on A(0, 0), checked_arguments.tla:[[@LINE+5]])
#pragma tla algorithm shape(A(n, n)) input(A : random)
template <typename T> void twice(int p, tla::Matrix<T> A) {
  if (A.nt() > 8) {
    #pragma tla task
    omatcopy(NoTrans, T(1), A(0, 0).rows(0, 1), A(0, 0).rows(p - 1, 1));
  }
}

// TALL: hetc: only_tall requires A.n() <= A.m(), but A is 5 x 6
#pragma tla algorithm shape(A(m, n)) requires(n <= m) input(A : random)
template <typename T> void only_tall(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    requireNonsingular(A(k, k));
  }
}
