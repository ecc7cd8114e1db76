// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: returns-value.tla:[[@LINE+2]]:27: error: an algorithm returns void and stands at global scope
#pragma tla algorithm
template <typename T> int f(tla::LowerMatrix<T> A) { return 0; }

// MEND: Return void, and define it outside of namespaces; results are matrices.
