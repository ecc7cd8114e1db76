// Factorizations and inverses of a triangular or Hermitian tile.
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/enqueue.cuh"
#include "kernels/cuda/solver.hpp"

namespace tla::kernels::cuda {

template <typename T> int potrf(Uplo uplo, Tile<T> A) {
  if (A.n() == 0)
    return 0;
  Launch &launch = Launch::current();
  const cublasFillMode_t fill = uplo == Uplo::Lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  const cudaDataType type = dataType<T>();
  std::size_t bytes = 0, hostBytes = 0;
  TLA_CUDA_CHECK(cusolverDnXpotrf_bufferSize(launch.solver(), launch.solverParameters(), fill, A.n(), type, A.data(),
                                             A.ld(), type, &bytes, &hostBytes));
  TLA_CUDA_CHECK(cusolverDnXpotrf(launch.solver(), launch.solverParameters(), fill, A.n(), type, A.data(), A.ld(), type,
                                  launch.scratch(bytes), bytes, launch.hostScratch(hostBytes), hostBytes,
                                  launch.deviceInfo()));
  return 0;
}

/// One block: the smallest j > 0 for which R(j, j) is zero, or 0.
template <typename D> static __global__ void findZero(View<D> R, int n, int *info) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = n;
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    if (R(j, j) == D(0))
      atomicMin(&first, j);
  __syncthreads();
  if (threadIdx.x == 0 && first < n)
    *info = first + 1;
}

template <typename T> int requireNonsingular(Tile<T> R) {
  const int n = std::min(R.m(), R.n());
  if (n > 0)
    enqueue(1, 256, 0, findZero<DeviceType<T>>, viewOf<T>(R), n, Launch::current().deviceInfo());
  return 0;
}

/// A X = I to the side, by trsm: three times the operations, at the rate of gemm. A singular A stays as it is.
template <typename T> int trtri(Uplo uplo, Diag diag, Tile<T> A) {
  if (A.n() == 0)
    return 0;
  if (diag == Diag::NonUnit)
    cuda::requireNonsingular(A);
  const Tile<T> X = scratchTile<T>(A.n(), A.n());
  cuda::laset<T>(T(0), T(1), X);
  cuda::trsm<T>(Side::Left, uplo, Op::NoTrans, diag, T(1), A, X);
  const int *info = Launch::current().deviceInfo();
  forEach(A.n(), A.n(), [uplo, diag, info, a = viewOf<T>(A), x = viewOf<T>(X)] __device__(int i, int j) {
    const bool written = i == j ? diag == Diag::NonUnit : (uplo == Uplo::Lower) == (i > j);
    if (written && *info == 0)
      a(i, j) = x(i, j);
  });
  return 0;
}

/// L^H L or U U^H of a copy with zeros where nothing is stored, by herk: three times the operations, at the rate of
/// gemm.
template <typename T> void lauum(Uplo uplo, Tile<T> A) {
  if (A.n() == 0)
    return;
  const Tile<T> X = scratchTile<T>(A.n(), A.n());
  copyTriangle<T>(uplo, Diag::NonUnit, A, X);
  cuda::herk<T>(uplo, uplo == Uplo::Lower ? Op::ConjTrans : Op::NoTrans, 1, X, 0, A);
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template int potrf(Uplo, Tile<T>);                                                                                   \
  template int requireNonsingular(Tile<T>);                                                                            \
  template int trtri(Uplo, Diag, Tile<T>);                                                                             \
  template void lauum(Uplo, Tile<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
