// What only the algorithm of a check needs is declared for it, too: guards of a kernel that is given a part of a tile, and
// complex numbers.
// RUN: %hetc run %s --algorithm doubled -n 50 --nb 20 --check | FileCheck %s
// CHECK: residual  {{.*}}passed
#include <complex>
#include <tla/tla.hpp>

#pragma tla kernel bound(memory)
template <typename T> void addBelow(tla::ConstTile<T> A, std::complex<float> scale, tla::Tile<T> r) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = j + 1; i < A.m(); ++i)
      r(0, 0) += T(scale.imag()) * A(i, j);
}

#pragma tla algorithm shape(A(n, n), r(1, 1))
template <typename T> void residual(tla::Matrix<T> A, tla::Matrix<T> r) {
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    addBelow(A(i, i).lower(), std::complex<float>(float(i)), r(0, 0));
  }
}

#pragma tla algorithm shape(A(n, n)) input(A : random) check(user(residual(A)))
template <typename T> void doubled(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      scal(T(2), A(i, j));
    }
}
