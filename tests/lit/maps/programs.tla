// Updates of several statements are one run; what looks at the tile in between ends it. An update that may name its tile
// twice is none.
// RUN: %hetc --emit=maps --copies 2 %s | FileCheck %s
// RUN: %hetc run %s -n 30 --nb 4 --copies 2 --no-check
#include <tla/tla.hpp>

// CHECK: kernel add<T>(read A, rw C) alias(A, C) sum(C if 1)
#pragma tla kernel sum(C) alias(A, C)
template <typename T> void add(tla::ConstTile<T> A, tla::Tile<T> C) {
  C(0, 0) += A(0, 0);
}

#pragma tla algorithm shape(A(n, n), C(n, n)) input(A : random, C : random) requires(n >= 1)
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      // CHECK: if (0 == k)
      // CHECK-NEXT: tla::laset({{.*}} write C__1(i, i))
      // CHECK: if ((k + i) % 2 == 1)
      // CHECK-NEXT: add(read A(i, k), rw C__1(i, i))
      // CHECK: add(read A(i, k), rw C(i, i))
      #pragma tla task
      add(A(i, k), C(i, i));
      // CHECK: if ((k + i) % 2 == 1)
      // CHECK-NEXT: add(read A(k, i), rw C__1(i, i))
      // CHECK: if ({{.*}}k + 1{{.*}})
      // CHECK-NEXT: tla::geadd(T(1), read C__1(i, i), T(1), rw C(i, i)){{.*}}release(C__1(i, i))
      #pragma tla task
      add(A(k, i), C(i, i));
    }
  for (int i = 0; i < C.mt(); ++i) {
    // CHECK: tla::scal(T(2), rw C({{.*}}))
    #pragma tla task
    scal(T(2), C(i, i));
  }
  // Each step's tile is read before the next one: there is nothing to share.
  // CHECK-NOT: C__1
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    add(A(k, k), C(0, 0));
    #pragma tla task
    add(C(0, 0), A(k, k));
  }
  for (int k = 0; k < C.nt(); ++k) {
    #pragma tla task
    add(C(0, k), C(0, 0));
  }
}
