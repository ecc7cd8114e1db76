#pragma once
#include "signs.hpp"

/// Turns eigenvectors so that they depend on no distribution and no choice of the algorithm: the first of the largest components of
/// each column of Z becomes real and positive.
#pragma tla algorithm shape(Z(n, k))
template <typename T>
void turn_vectors(tla::Matrix<T> Z) {
  tla::Workspace<tla::RealType<T>> S(Z.mt(), Z.nt(), 3, Z.nb());
  for (int j = 0; j < Z.nt(); ++j) {
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      largestComponents(i * Z.nb(), Z(i, j), S(i, j));
    }
    for (int i = 1; i < Z.mt(); ++i) {
      #pragma tla task release(S(i, j))
      largerComponents(S(i, j), S(0, j));
    }
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      turnColumns(i * Z.nb(), S(0, j), Z(i, j));
    }
  }
}
