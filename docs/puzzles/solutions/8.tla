#include <tla/tla.hpp>

#pragma tla algorithm shape(x(m, 1), y(m, 1), r(1, 1)) requires(m >= 1)
template <typename T> void dot(tla::Matrix<T> x, tla::Matrix<T> y, tla::Matrix<T> r) {
  tla::Workspace<T> W(x.mt(), 1, 1, 1);
  for (int i = 0; i < x.mt(); ++i) {
    #pragma tla task
    gemm(Trans, NoTrans, T(1), x(i, 0), y(i, 0), T(0), W(i, 0));
  }
  for (int d = 1; d < x.mt(); d *= 2)
    for (int i = 0; i + d < x.mt(); i += 2 * d) {
      #pragma tla task
      geadd(T(1), W(i + d, 0), T(1), W(i, 0));
    }
  #pragma tla task
  omatcopy(NoTrans, T(1), W(0, 0), r(0, 0));
}
