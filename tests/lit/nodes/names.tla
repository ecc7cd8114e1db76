// Loop variables whose names are near those that hetc makes: a second x_, and a descending loop over x.
// RUN: %hetc %s --algorithm again --dist 2dbc:2x2 -o %t 2>&1 | FileCheck %s --allow-empty
// RUN: %hetc %s --algorithm down --dist 2dbc:2x3 -o %t 2>&1 | FileCheck %s --allow-empty
#include <tla/tla.hpp>

#pragma tla kernel alias(A, B)
template <typename T> void mix(tla::ConstTile<T> A, tla::Tile<T> B) {
  if (A.m() > 0 && A.n() > 0)
    for (int j = 0; j < B.n(); ++j)
      for (int i = 0; i < B.m(); ++i)
        B(i, j) = T(0.5) * B(i, j) + A(i % A.m(), j % A.n());
}

// CHECK-NOT: {{.}}
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n), D(n, n))
template <typename T> void again(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C, tla::Matrix<T> D) {
  for (int x_ = 0; x_ < A.nt(); ++x_) {
    #pragma tla task
    mix(D(x_, 0), A(x_, 0));
  }
  for (int x = 0; x < A.nt(); ++x) {
    #pragma tla task
    mix(D(x, x), C(x, 0));
    for (int x_ = 0; x_ < A.mt(); ++x_) {
      #pragma tla task
      mix(A(x, x_), B(x, x_));
      #pragma tla task
      mix(B(x, x_), C(x_, x));
      #pragma tla task
      mix(D(x, 0), C(x_, 0));
    }
  }
}
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void down(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int x = A.nt() - 1; x >= 0; --x)
    for (int w = x; w >= 0; --w) {
      #pragma tla task
      mix(A(x, w), C(w, x));
    }
}
