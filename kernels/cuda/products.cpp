// BLAS 3 by cuBLAS. What it has no routine for, gemmt, is cut so that nearly all of the work is gemm.
#include "kernels/cuda/blas.hpp"
#include "kernels/cuda/bodies.hpp"

namespace tla::kernels::cuda {

/// The largest triangle that is not cut: computed whole where no routine of cuBLAS computes one half.
static constexpr int leafOrder = 256;

/// About half of n, a multiple of the leaf.
static int cut(int n) { return (n / 2 + leafOrder - 1) / leafOrder * leafOrder; }

template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if (C.m() == 0 || C.n() == 0)
    return;
  if (alpha == T(0) || (opA == Op::NoTrans ? A.n() : A.m()) == 0)
    return cuda::scal(beta, C);
  blas::gemm(opA, opB, alpha, A, B, beta, C);
}

/// Calls leaf(i, n) for each triangle [i, i + n) on the diagonal of C, and square(i, m, j, n) for the rest of the
/// stored triangle: rows [i, i + m), columns [j, j + n).
template <typename Leaf, typename Square>
static void forTriangle(Uplo uplo, int begin, int n, const Leaf &leaf, const Square &square) {
  if (n == 0)
    return;
  if (n <= leafOrder)
    return leaf(begin, n);
  const int h = cut(n);
  forTriangle(uplo, begin, h, leaf, square);
  if (uplo == Uplo::Lower)
    square(begin + h, n - h, begin, h);
  else
    square(begin, h, begin + h, n - h);
  forTriangle(uplo, begin + h, n - h, leaf, square);
}

/// Rows [i, i + n) of op(A).
template <typename T> static ConstTile<T> rowsOf(Op op, ConstTile<T> A, int i, int n) {
  return op == Op::NoTrans ? block(A, i, 0, n, A.n()) : block(A, 0, i, A.m(), n);
}

template <typename T>
void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const auto rows = [&](int i, int n) { return rowsOf(opA, A, i, n); };
  const auto columns = [&](int j, int n) { return rowsOf(opB == Op::NoTrans ? Op::Trans : Op::NoTrans, B, j, n); };
  forTriangle(
      uplo, 0, C.n(),
      [&](int i, int n) {
        const Tile<T> W = scratchTile<T>(n, n);
        cuda::gemm<T>(opA, opB, alpha, rows(i, n), columns(i, n), T(0), W);
        addTriangle<T>(uplo, W, beta, block(C, i, i, n, n));
      },
      [&](int i, int m, int j, int n) {
        cuda::gemm<T>(opA, opB, alpha, rows(i, m), columns(j, n), beta, block(C, i, j, m, n));
      });
}

template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  if (alpha == T(0) || A.m() == 0 || A.n() == 0)
    return cuda::lascl(uplo, beta, C);
  if (C.n() > 0)
    blas::syrk(uplo, op == Op::NoTrans ? op : Op::Trans, alpha, A, beta, C);
}

/// With nothing to add C is left as it is for beta = 1, imaginary parts of its diagonal included; for any other beta
/// they become zero (BLAS).
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  if constexpr (!isComplex<T>) {
    cuda::syrk<T>(uplo, op, alpha, A, beta, C);
  } else {
    const bool nothing = alpha == 0 || A.m() == 0 || A.n() == 0;
    if (nothing && beta == 1)
      return;
    if (nothing)
      return scaleHermitian<T>(uplo, beta, C);
    if (C.n() > 0)
      blas::herk(uplo, op, alpha, A, beta, C);
  }
}

template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if (alpha == T(0))
    return cuda::scal(beta, C);
  if (C.m() > 0 && C.n() > 0)
    blas::symm(side, uplo, alpha, A, B, beta, C);
}

template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if constexpr (!isComplex<T>)
    cuda::symm(side, uplo, alpha, A, B, beta, C);
  else if (alpha == T(0))
    cuda::scal(beta, C);
  else if (C.m() > 0 && C.n() > 0)
    blas::hemm(side, uplo, alpha, A, B, beta, C);
}

template <typename T> void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if (alpha == T(0))
    return cuda::scal(alpha, B);
  if (B.m() > 0 && B.n() > 0)
    blas::trmm(side, uplo, op, diag, alpha, A, B);
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template void gemm(Op, Op, T, ConstTile<T>, ConstTile<T>, T, Tile<T>);                                               \
  template void gemmt(Uplo, Op, Op, T, ConstTile<T>, ConstTile<T>, T, Tile<T>);                                        \
  template void syrk(Uplo, Op, T, ConstTile<T>, T, Tile<T>);                                                           \
  template void herk(Uplo, Op, RealType<T>, ConstTile<T>, RealType<T>, Tile<T>);                                       \
  template void symm(Side, Uplo, T, ConstTile<T>, ConstTile<T>, T, Tile<T>);                                           \
  template void hemm(Side, Uplo, T, ConstTile<T>, ConstTile<T>, T, Tile<T>);                                           \
  template void trmm(Side, Uplo, Op, Diag, T, ConstTile<T>, Tile<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
