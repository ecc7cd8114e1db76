#include <tla/tla.hpp>

// A has one column of tiles, as the puzzle says.
#pragma tla algorithm shape(A(m, n), R(n, n)) requires(n >= 1 && m >= n)
template <typename T> void tall_qr(tla::Matrix<T> A, tla::Matrix<T> R) {
  tla::Workspace<T> W(A.mt(), 1, A.nb(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    geqrt(16, A(i, 0), W(i, 0));
  }
  for (int d = 1; d < A.mt(); d *= 2)
    for (int i = 0; i + d < A.mt(); i += 2 * d) {
      #pragma tla task
      ttqrt(16, A(i, 0).upper(), A(i + d, 0).upper(), W(i + d, 0));
    }
  #pragma tla task
  omatcopy(NoTrans, T(1), A(0, 0), R(0, 0));
}
