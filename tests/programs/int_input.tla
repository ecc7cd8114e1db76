// Integers in and out: rows interchanged as LAPACK's pivots say, which come from a file, and where each row then stands.
#include "numbering.hpp"

#pragma tla algorithm shape(ipiv(m, 1), B(m, n), place(m, 1)) input(ipiv : pivots, B : random)
template <typename T> void int_input(tla::Matrix<int> ipiv, tla::Matrix<T> B, tla::Matrix<int> place) {
  for (int i = 0; i < place.mt(); ++i) {
    #pragma tla task
    number(i * place.mb(), place(i, 0));
  }
  for (int k = 0; k < ipiv.mt(); ++k) {
    #pragma tla task
    interchange(k * ipiv.mb(), ipiv(k, 0), place.panel(k, place.mt(), 0));
    for (int j = 0; j < B.nt(); ++j) {
      #pragma tla task
      laswp(k * ipiv.mb(), ipiv(k, 0), 1, B.panel(k, B.mt(), j));
    }
  }
}
