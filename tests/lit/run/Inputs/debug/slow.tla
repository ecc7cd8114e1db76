#include <tla/tla.hpp>

// Thousands of times the operations that it says.
#pragma tla kernel flops(A.m() * A.n())
template <typename T> void crawl(tla::Tile<T> A) {
  for (int round = 0; round < 2000; ++round)
    for (int j = 0; j < A.n(); ++j)
      for (int i = 0; i < A.m(); ++i)
        A(i, j) = A(i, j) * T(0.5) + T(1);
}

/// One task after the other, where there is one tile.
#pragma tla algorithm input(A : random)
template <typename T>
void chain(tla::Matrix<T> A) {
  for (int k = 0; k < 20; ++k)
    for (int i = 0; i < A.mt(); ++i)
      for (int j = 0; j < A.nt(); ++j) {
        #pragma tla task
        crawl(A(i, j));
      }
}

/// Products, and a kernel that is far slower.
#pragma tla algorithm shape(A(n, n), C(n, n)) input(A : random, C : random)
template <typename T>
void crawling(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, 0), A(0, j), T(1), C(i, j));
      #pragma tla task
      crawl(C(i, j));
    }
}
