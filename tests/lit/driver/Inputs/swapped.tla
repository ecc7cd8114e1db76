#include <tla/tla.hpp>
#pragma tla algorithm shape(A(n, n), B(n, n), Z(n, n), r(1, 1)) requires(n == 1) input(A : identity, B : zero, Z : zero)
template <typename T> void swapped(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> Z, tla::Matrix<T> r) {
  tla::Matrix<T> from = A, to = B;
  for (int k = 0; k < 5; ++k) {
    #pragma tla task
    geadd(T(2), from(0, 0), T(0), to(0, 0));
    #pragma tla task
    geadd(T(1), to(0, 0), T(0), r(0, 0));
    swap(from, to);
    if (tla::value(r) > 3)
      break;
  }
  #pragma tla task
  geadd(T(1), from(0, 0), T(0), Z(0, 0));
}
