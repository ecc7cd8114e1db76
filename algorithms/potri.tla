#include "lauum.tla"
#include "trtri.tla"

/// The inverse of a Hermitian positive definite matrix from its Cholesky factor: (L * L^H)^-1 = L^-H * L^-1 (uplo = Lower),
/// (U^H * U)^-1 = U^-1 * U^-H (Upper). One triangle of the inverse overwrites the factor (LAPACK: potri).
#pragma tla algorithm shape(A(n, n)) default(uplo : Lower) input(A : dominant) check(potri(uplo, A))
template <typename T>
void potri(Uplo uplo, tla::Matrix<T> A) {
  trtri(uplo, NonUnit, A);
  lauum(uplo, A);
}
