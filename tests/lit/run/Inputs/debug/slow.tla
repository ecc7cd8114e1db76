#include <tla/tla.hpp>

// A thousand times the operations that it says.
#pragma tla kernel flops(A.m() * A.n())
template <typename T> void crawl(tla::Tile<T> A) {
  for (int round = 0; round < 4000; ++round)
    for (int j = 0; j < A.n(); ++j)
      for (int i = 0; i < A.m(); ++i)
        A(i, j) = A(i, j) * T(0.5) + T(1);
}

/// One task after the other.
#pragma tla algorithm input(A : random)
template <typename T>
void chain(tla::Matrix<T> A) {
  for (int k = 0; k < 20; ++k) {
    #pragma tla task
    crawl(A(0, 0));
  }
}

/// Products, and a kernel that is far slower.
#pragma tla algorithm input(A : random, C : random)
template <typename T>
void crawling(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, j), A(i, j), T(1), C(i, j));
      #pragma tla task
      crawl(C(i, j));
    }
}
