#include "eigen/scaling.tla"

/// A column of A times infinity, and what the eigensolver does first.
#pragma tla algorithm shape(A(n, n)) default(at : 0) requires(n >= 1, at >= 0) input(A : hermitian)
template <typename T> void infinite(int at, tla::LowerMatrix<T> A) {
  tla::Workspace<tla::RealType<T>> sigma(1, 1, 1, 1);
  if (at < A.n()) {
    #pragma tla task
    scal(T(1e300), A(at / A.nb(), at / A.nb()).cols(at % A.nb(), 1));
    #pragma tla task
    scal(T(1e300), A(at / A.nb(), at / A.nb()).cols(at % A.nb(), 1));
  }
  scale_to_range(A, sigma);
}
