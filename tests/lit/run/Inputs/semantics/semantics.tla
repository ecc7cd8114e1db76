// Everything here is C++ whose meaning is easy to lose on the way: conversions, shadowed and clashing names, macros,
// default arguments, operators of std::complex, kernels in namespaces.
#include <tla/tla.hpp>

#define SCALE(x) ((x) * 0.25)

namespace {
#pragma tla kernel
template <typename T> void put(T value, int row, tla::Tile<T> A) {
  A(row % A.m(), 0) = A(row % A.m(), 0) * T(0.5) + value;
}
} // namespace
namespace user {
#pragma tla kernel
template <typename T> void max(int a, tla::Tile<T> A) {
  A(0, A.n() - 1) += T(a);
}
} // namespace user

#pragma tla algorithm
template <typename T> void inner(tla::Matrix<T> A, int k, double w, int c, bool flag) {
  #pragma tla task
  put(T(w / 2 + c), 0, A(k, 0));
  if (flag == 1) {
    #pragma tla task
    put(T(3), 1, A(k, 0));
  }
}

#pragma tla algorithm shape(A(m, 1))
template <typename T> void semantics(tla::Matrix<T> A, int steps = 3, T factor = T(1.5)) {
  tla::Workspace<T> V(A.mt(), 1, A.nb(), 2);
  tla::Workspace<T> W(V.mt(), 1, V.mb(), 1);
  for (int k = 0; k < A.mt(); ++k) {
    const double s = k;
    const int h = 0.5 * k;
    const bool b = k;
    const float tenth = 0.1f;
    const long wide = k;
    #pragma tla task
    put(T(s / 2), h * 2, A(k, 0));
    if (b == 1) {
      #pragma tla task
      put(T(SCALE(k)) * factor - T(tenth), 2, A(k, 0));
    }
    if (!k || wide > steps) {
      #pragma tla task
      put(-factor, 3, A(k, 0));
    }
    inner(A, k, k, 2.7, k);
    for (int A__ = 0; A__ < 1; ++A__)
      for (int min = 0; min < 1; ++min) {
        #pragma tla task
        put(T(min + A__), min, A(k, 0));
      }
  }
  for (int task = 0; task < A.mt() || task < 0; ++task) {
    const int T_ = max(task, 2) - min(task, 2);
    #pragma tla task
    user::max(T_, A(task, 0));
    const int k = task / 2;
    for (int k = 0; k < 2; ++k) {
      #pragma tla task
      put(T(k), 0, A(task, 0));
    }
    #pragma tla task
    put(T(k), 1, A(task, 0));
  }
}
