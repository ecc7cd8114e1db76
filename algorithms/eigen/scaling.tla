#pragma once
#include "scaling.hpp"

/// A = sigma A, with a power of two that keeps the squares of A's elements in the range of their type. A run on a matrix that holds
/// NaN or Inf ends here: info = 1 of requireFinite.
#pragma tla algorithm shape(A(n, n), sigma(1, 1, 1, 1))
template <typename T>
void scale_to_range(tla::LowerMatrix<T> A, tla::Workspace<tla::RealType<T>> sigma) {
  using Real = tla::RealType<T>;
  tla::Workspace<Real> N(A.p(), A.nt(), 1, 1), largest(1, 1, 1, 1); // N(r, j): of column j, on node row r
  const int p = A.p();
  #pragma tla task
  laset(Real(0), Real(0), largest(0, 0));
  for (int j = 0; j < A.nt(); ++j) {
    for (int r = j; r < min(j + p, A.mt()); ++r) {
      #pragma tla task
      largestElement(r == j ? 1 : 0, A.panel(r, A.mt(), j, p), N(r % p, j));
      #pragma tla task
      keepLarger(N(r % p, j), largest(0, 0));
    }
  }
  #pragma tla task
  requireFinite(largest(0, 0), sigma(0, 0));
  for (int j = 0; j < A.nt(); ++j) {
    for (int i = j; i < A.mt(); ++i) {
      #pragma tla task
      scaleTile(i == j ? 1 : 0, sigma(0, 0), A(i, j));
    }
  }
}
