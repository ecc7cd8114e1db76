// C = C + A B, again and again, until its first element is large: on a device, where it stays.
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) requires(n >= 1) input(A : spd, B : spd, C : zero)
template <typename T> void summed(T most, tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int step = 0; step < 50; ++step) {
    for (int j = 0; j < C.nt(); ++j)
      for (int i = 0; i < C.mt(); ++i)
        for (int k = 0; k < A.nt(); ++k) {
          #pragma tla task device(gpu)
          gemm(tla::Op::NoTrans, tla::Op::NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
        }
    if (tla::value(C) > most)
      break;
  }
}
