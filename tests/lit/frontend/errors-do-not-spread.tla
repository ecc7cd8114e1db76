// What is right is not complained about because something before it is wrong.
// RUN: not %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tla/tla.hpp>

// CHECK: [[@LINE+2]]:38: error: the shape of 'c' asks for sizes of a matrix; it is made of m, n, k and scalar parameters
// MEND: Use m, n or k, and say by `requires(k == A.nb())` that it is a tile's size.
#pragma tla algorithm shape(A(m, n), c(A.mt(), 1))
template <typename T> void spread(tla::Matrix<T> A, tla::Matrix<T> c) {
  tla::Workspace<T> G(1, 1, 3, 3);
  #pragma tla task
  laset(T(0), T(0), G(0, 0));
}
