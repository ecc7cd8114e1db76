// A step that is an argument: loops that would not end are refused before anything runs, with the value, exit code 2.
// RUN: sh -c '%hetc run %s -n 200 --nb 32 --set step=0 2>%t.err; test $? -eq 2' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 200 --set step=0 2>%t.err; test $? -eq 2' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 200 --nb 32 --set step=0 --serial 2>%t.err; test $? -eq 2' && FileCheck %s < %t.err
// RUN: sh -c '%hetc run %s -n 200 --nb 32 --set step=0 --split 2 --slice 8 2>%t.err; test $? -eq 2' && FileCheck %s < %t.err
// RUN: sh -c '%hetc cost %s -n 200 --nb 32 --set step=0 --dist 2dbc:1x2 2>%t.err; test $? -eq 2' && FileCheck %s < %t.err
// RUN: sh -c '%hetc graph %s -n 200 --nb 32 --set step=0 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=GRAPH < %t.err
// RUN: %hetc run %s -n 200 --nb 32 --set step=3
// RUN: %hetc run %s -n 0 --nb 32 --set step=0
// RUN: sh -c '%hetc run %s --algorithm late -n 200 --nb 32 --set step=0 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=LATE < %t.err
// RUN: %hetc --emit=cpp --algorithm proved %s | FileCheck %s --check-prefix=PROVED
#include <tla/tla.hpp>

// CHECK: hetc: step = 0 (steps.tla:[[@LINE+5]]: j += step): the loop over j would not end; --set step=1 or larger
// GRAPH: loop 'j' does not end: its step 'j += step' takes it from 0 to 0
#pragma tla algorithm
template <typename T> void steps(int step, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); j += step) {
      #pragma tla task
      scal(T(2), A(i, j));
    }
}

// LATE: hetc: the loop over j does not end: its step takes it from 0 to 0 (steps.tla:[[@LINE+4]]: j += step * i)
#pragma tla algorithm
template <typename T> void late(int step, tla::Matrix<T> A) {
  for (int i = 1; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); j += step * i) {
      #pragma tla task
      scal(T(2), A(i, j));
    }
}

// PROVED: d = d * 2
#pragma tla algorithm
template <typename T> void proved(int step, tla::Matrix<T> A) {
  for (int d = 1; d < A.mt(); d *= 2)
    for (int i = 0; i + d < A.mt(); i += 2 * d)
      if (step > 0) {
        for (int j = 0; j < A.nt(); j += step) {
          #pragma tla task
          scal(T(2), A(i + d, j));
        }
      }
}
