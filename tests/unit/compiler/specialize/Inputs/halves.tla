#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void scalePanel(tla::Panel<T> P) {
  for (int r = 0; r < P.mt(); ++r)
    for (int j = 0; j < P.n(); ++j)
      for (int i = 0; i < P(r).m(); ++i)
        P(r)(i, j) *= T(2);
}

/// Two tasks after each other write the same tile column, on several nodes: where a tile comes from and goes to takes
/// half of a loop's variable, and its remainder.
#pragma tla algorithm shape(A(n, n)) input(A : random)
template <typename T>
void halves(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scalePanel(A.panel(k, A.nt(), k / 2));
  }
}
