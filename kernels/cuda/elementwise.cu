// Kernels that do the same to each element.
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/enqueue.cuh"

namespace tla::kernels::cuda {

template <typename T> void scal(T alpha, Tile<T> A) {
  forEach(A.m(), A.n(),
          [factor = onDevice(alpha), a = viewOf<T>(A)] __device__(int i, int j) { a(i, j) = scaled(factor, a(i, j)); });
}

static __device__ bool isStored(Uplo uplo, int i, int j) { return uplo == Uplo::Lower ? i >= j : i <= j; }

template <typename T> void lascl(Uplo uplo, T alpha, Tile<T> A) {
  forEach(A.n(), A.n(), [uplo, factor = onDevice(alpha), a = viewOf<T>(A)] __device__(int i, int j) {
    if (isStored(uplo, i, j))
      a(i, j) = scaled(factor, a(i, j));
  });
}

template <typename T> void omatcopy(Op op, T alpha, ConstTile<T> A, OutTile<T> B) {
  forEach(B.m(), B.n(), [op, factor = onDevice(alpha), a = viewOf<T>(A), b = viewOf<T>(B)] __device__(int i, int j) {
    using D = DeviceType<T>;
    if (factor == D(0)) {
      b(i, j) = D(0);
      return;
    }
    const D x = op == Op::NoTrans ? a(i, j) : a(j, i);
    b(i, j) = scaled(factor, op == Op::ConjTrans ? conjugate(x) : x);
  });
}

template <typename T> void laset(T offDiagonal, T diagonal, OutTile<T> A) {
  forEach(A.m(), A.n(),
          [off = onDevice(offDiagonal), on = onDevice(diagonal), region = A.region(),
           a = viewOf<T>(A)] __device__(int i, int j) {
            if (region == Region::Full || (region == Region::Lower) == (i > j))
              a(i, j) = i == j ? on : off;
          });
}

template <typename T> void copyUnitLower(ConstTile<T> A, OutTile<T> B) {
  forEach(B.m(), B.n(), [a = viewOf<T>(A), b = viewOf<T>(B)] __device__(int i, int j) {
    using D = DeviceType<T>;
    b(i, j) = i > j ? a(i, j) : D(i == j);
  });
}

template <typename T> void scaleByPivots(ConstTile<T> A, Tile<T> B, OutTile<T> W) {
  forEach(B.m(), B.n(), [a = viewOf<T>(A), b = viewOf<T>(B), w = viewOf<T>(W)] __device__(int i, int j) {
    using Real = RealOf<DeviceType<T>>;
    const DeviceType<T> x = b(i, j);
    const Real inverse = 1 / realPart(a(j, j));
    w(i, j) = x;
    b(i, j) = inverse * x;
  });
}

template <typename T> void copyTriangle(Uplo uplo, Diag diag, ConstTile<T> A, Tile<T> X) {
  forEach(X.m(), X.n(), [uplo, diag, a = viewOf<T>(A), x = viewOf<T>(X)] __device__(int i, int j) {
    using D = DeviceType<T>;
    if (i == j && diag == Diag::Unit)
      x(i, j) = D(1);
    else
      x(i, j) = isStored(uplo, i, j) ? a(i, j) : D(0);
  });
}

template <typename T> void addTriangle(Uplo uplo, ConstTile<T> W, T beta, Tile<T> C) {
  forEach(C.n(), C.n(), [uplo, factor = onDevice(beta), w = viewOf<T>(W), c = viewOf<T>(C)] __device__(int i, int j) {
    if (isStored(uplo, i, j))
      c(i, j) = w(i, j) + scaled(factor, c(i, j));
  });
}

template <typename T> void scaleHermitian(Uplo uplo, RealType<T> beta, Tile<T> C) {
  forEach(C.n(), C.n(), [uplo, beta, c = viewOf<T>(C)] __device__(int i, int j) {
    using D = DeviceType<T>;
    if (isStored(uplo, i, j))
      c(i, j) = scaled(D(beta), i == j ? D(realPart(c(i, j))) : c(i, j));
  });
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template void scal(T, Tile<T>);                                                                                      \
  template void lascl(Uplo, T, Tile<T>);                                                                               \
  template void omatcopy(Op, T, ConstTile<T>, OutTile<T>);                                                             \
  template void laset(T, T, OutTile<T>);                                                                               \
  template void copyUnitLower(ConstTile<T>, OutTile<T>);                                                               \
  template void scaleByPivots(ConstTile<T>, Tile<T>, OutTile<T>);                                                      \
  template void copyTriangle(Uplo, Diag, ConstTile<T>, Tile<T>);                                                       \
  template void addTriangle(Uplo, ConstTile<T>, T, Tile<T>);                                                           \
  template void scaleHermitian(Uplo, RealType<T>, Tile<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
