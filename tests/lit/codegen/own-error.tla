// Generated code that does not compile is an error of hetc's own, told apart by its exit code; one in the body of a user's
// kernel is the user's.
// RUN: bash -c '%hetc -c %s --algorithm broken -o %t.o; test $? -eq 4' 2>&1 | FileCheck %s
// RUN: bash -c '%hetc -c %s --algorithm author -o %t.o; test $? -eq 2' 2>&1 | FileCheck %s --check-prefix=AUTHOR
#include <tla/tla.hpp>

#define run_scal__0 ] // as if hetc had written it

#pragma tla algorithm
template <typename T> void broken(tla::LowerMatrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    // CHECK: hetc: hetc's own error, please report: the C++ that it makes of the statement at own-error.tla:[[@LINE+1]] does not compile (--emit=cpp shows it)
    scal(T(2), A(i, i));
  }
}

#pragma tla kernel
template <typename T> void wrong(tla::Tile<T> A) { A(0, 0) = A(0, 0).imag(); }

#pragma tla algorithm
template <typename T> void author(tla::LowerMatrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    // AUTHOR: own-error.tla:19:{{.*}} error: member reference base type
    // AUTHOR-NOT: please report
    #pragma tla task
    wrong(A(i, i));
  }
}
