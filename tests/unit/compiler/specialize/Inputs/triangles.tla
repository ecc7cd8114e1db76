#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void make(tla::Tile<T> B, tla::OutTile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = B(0, 0) + T(i + j);
  B(0, 0) *= T(0.5);
}

#pragma tla kernel
template <typename T> void use(tla::Tile<T> B, tla::ConstTile<T> A) { B(0, 0) += A(0, A.n() - 1) + A(A.m() - 1, 0); }

#pragma tla kernel
template <typename T> void scaleLower(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = j; i < A.m(); ++i)
      A(i, j) *= T(2);
}

#pragma tla kernel
template <typename T> void scaleUpper(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < j && i < A.m(); ++i)
      A(i, j) *= T(2);
}

/// Whole tiles are made away from home and read at home, before one half of them is written again: the other half has
/// come home for good, and the half that is written again must come, too.
#pragma tla algorithm shape(A(n, n), B(n, n)) input(A : random, B : random)
template <typename T>
void triangles(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 0; k + 1 < A.nt(); ++k) {
    #pragma tla task
    make(B(k + 1, k), A(k, k));
    #pragma tla task
    use(B(k, k), A(k, k));
    #pragma tla task
    scaleLower(A(k, k).lower());
    #pragma tla task
    make(B(k + 1, k), A(k + 1, k));
    #pragma tla task
    use(B(k + 1, k), A(k + 1, k));
    #pragma tla task
    make(B(k, k), A(k + 1, k));
    #pragma tla task
    use(B(k + 1, k), A(k + 1, k));
    #pragma tla task
    scaleUpper(A(k + 1, k).upper());
  }
}
