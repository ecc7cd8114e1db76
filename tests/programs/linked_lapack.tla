// The eigenvalues of a matrix' diagonal blocks, by LAPACK.
#include "lapack_eigenvalues.hpp"

#pragma tla algorithm shape(A(n, n), w(n, 1)) input(A : random, w : zero) requires(n >= 1)
template <typename T> void linked_lapack(tla::Matrix<T> A, tla::Matrix<T> w) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    eigenvalues(A(k, k), w(k, 0));
  }
}
