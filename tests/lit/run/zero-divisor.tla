// A divisor that is 0 is said wherever loops are run, and be it to count.
// RUN: sh -c '%hetc run %s -n 200 --nb 32 --set s=0 --no-check 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 200 --nb 32 --set s=0 --no-check --serial 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc cost %s -n 200 --nb 32 --set s=0 --dist 2dbc:1x2 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc sim %s -n 200 --nb 32 --set s=0 --platform h200-sxm --nodes 1 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// RUN: sh -c '%hetc plan %s -n 200 --nb 32 --set s=0 --platform h200-sxm --nodes 1 2>%t.err; test $? -eq 4' && FileCheck %s < %t.err
// CHECK: hetc: parts: signal 8 (arithmetic error, such as an integer division by zero) in a kernel or in the program's loops
#include <tla/tla.hpp>

#pragma tla algorithm input(A : random)
template <typename T>
void parts(int s, tla::Matrix<T> A) {
  for (int k = 0; k < A.nt() / s; ++k) {
    #pragma tla task
    laset(T(0), T(1), A(k, k));
  }
}
