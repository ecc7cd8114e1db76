// A kernel's body may assign classes that have arrays: the compiler makes their assignment itself, from a function that no
// source declares.
// RUN: %hetc check %s | FileCheck %s
// CHECK: array_members: fine
#include <tla/tla.hpp>

template <typename T> struct Pair {
  T values[2];
  static Pair of(T a, T b) { return {{a, b}}; }
};

#pragma tla kernel flops(A.m()) requires(A.n() == A.m())
template <typename T> void swapPairs(tla::Tile<T> A) {
  Pair<T> pairs[2];
  for (int j = 0; j < A.n(); ++j) {
    pairs[0] = Pair<T>::of(A(0, j), A(A.m() - 1, j));
    pairs[1] = pairs[0];
    A(0, j) = pairs[1].values[1];
    A(A.m() - 1, j) = pairs[1].values[0];
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : random)
template <typename T> void array_members(tla::Matrix<T> A) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    swapPairs(A(i, i));
  }
}
