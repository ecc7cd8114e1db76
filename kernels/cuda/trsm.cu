// Triangular systems of tiles as products. A column of a triangular system waits for the one before it, and so does
// most of a device: on an H200 cuBLAS's dtrsm of order 1024 runs at 3 Tflop/s, and its dgemm at 44. So the diagonal
// blocks are inverted, all at once, and the rest is gemm, as MAGMA's trsm does it with blocks of 128.
#include "kernels/cuda/blas.hpp"
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/enqueue.cuh"

namespace tla::kernels::cuda {
namespace {

constexpr int base = 32;  ///< order of the blocks that one thread block inverts, an element a thread
constexpr int leaf = 256; ///< order of the blocks that are inverted; an inverse of all would cost accuracy

/// Makes the diagonal blocks of `leaf` rows of X: inverses of A's triangles of `base` rows on their diagonals, else
/// zeros. There is a block of threads for each base x base block.
template <typename D>
__global__ void __launch_bounds__(base *base) invertBase(Uplo uplo, Diag diag, View<D> A, View<D> X) {
  __shared__ D triangle[base][base + 1], inverse[base][base + 1];
  const int i = threadIdx.x, j = threadIdx.y, row = blockIdx.z * leaf + blockIdx.x * base,
            column = blockIdx.z * leaf + blockIdx.y * base;
  if (row != column) {
    X(row + i, column + j) = D(0);
    return;
  }
  const bool isStored = uplo == Uplo::Lower ? i >= j : i <= j;
  triangle[i][j] = !isStored ? D(0) : i == j && diag == Diag::Unit ? D(1) : A(row + i, column + j);
  inverse[i][j] = D(i == j);
  __syncthreads();
  for (int step = 0; step < base; ++step) {
    const int k = uplo == Uplo::Lower ? step : base - 1 - step;
    if (i == k)
      inverse[k][j] = inverse[k][j] * reciprocal(triangle[k][k]);
    __syncthreads();
    if (uplo == Uplo::Lower ? i > k : i < k)
      inverse[i][j] = inverse[i][j] - triangle[i][k] * inverse[k][j];
    __syncthreads();
  }
  X(row + i, column + j) = isStored ? inverse[i][j] : D(0);
}

/// op(A) X = B or X op(A) = B, A of n rows; the whole blocks of `leaf` rows by their inverses.
template <typename T> class Solver {
public:
  Solver(Side side, Uplo uplo, Op op, Diag diag, ConstTile<T> A, Tile<T> B)
      : side_(side), uplo_(uplo), op_(op), diag_(diag), n_(side == Side::Left ? B.m() : B.n()),
        whole_(n_ / leaf * leaf), A_(A), B_(B), X_(diagonalBlocks(whole_)),
        Y_(side == Side::Left ? scratchTile<T>(leaf, B.n()) : scratchTile<T>(B.m(), leaf)) {}

  void run() {
    invert();
    solve(0, n_);
  }

private:
  /// Blocks of s rows make one of 2 s: what is off its diagonal becomes minus the product of the one inverse, that part
  /// of A, and the other inverse.
  void invert() {
    constexpr int side = leaf / base;
    enqueue(dim3(side, side, whole_ / leaf), dim3(base, base), 0, invertBase<DeviceType<T>>, uplo_, diag_,
            viewOf<T>(A_), viewOf<T>(X_));
    const Tile<T> W = scratchTile<T>(leaf / 2, whole_ / 2);
    for (int s = base; s < leaf; s *= 2) {
      const int i = uplo_ == Uplo::Lower ? s : 0, j = s - i, count = whole_ / (2 * s); // the part at (i, j)
      const long inA = 2L * s * (A_.ld() + 1), inX = 2L * s * (X_.ld() + 1), inW = static_cast<long>(s) * W.ld();
      const Tile<T> product = block(W, 0, 0, s, s);
      blas::gemm(Op::NoTrans, Op::NoTrans, T(1), block(A_, i, j, s, s), inA, block(X_, j, j, s, s), inX, T(0), product,
                 inW, count);
      blas::gemm(Op::NoTrans, Op::NoTrans, T(-1), block(X_, i, i, s, s), inX, product, inW, T(0), block(X_, i, j, s, s),
                 inX, count);
    }
  }

  /// A square of n rows, n a multiple of `leaf`, of which only the diagonal blocks of `leaf` rows are there: with that
  /// leading dimension they lie side by side.
  static Tile<T> diagonalBlocks(int n) {
    return {static_cast<T *>(Launch::current().scratch(sizeof(T) * (leaf + 1) * n)), n, n, leaf};
  }

  /// Rows (Left) or columns (Right) [l, l + n) of B.
  Tile<T> part(int l, int n) const {
    return side_ == Side::Left ? block(B_, l, 0, n, B_.n()) : block(B_, 0, l, B_.m(), n);
  }
  /// op(A)'s block of rows [i, i + m), columns [j, j + n).
  ConstTile<T> blockOf(int i, int m, int j, int n) const {
    return op_ == Op::NoTrans ? block(A_, i, j, m, n) : block(A_, j, i, n, m);
  }

  void solve(int l, int n) {
    if (n <= leaf)
      return solveLeaf(l, n);
    const int h = (n / 2 + leaf - 1) / leaf * leaf;
    const bool isLower = (uplo_ == Uplo::Lower) == (op_ == Op::NoTrans);
    if (isLower == (side_ == Side::Left)) { // the first part does not need the second
      solve(l, h);
      update(l, h, l + h, n - h);
      solve(l + h, n - h);
    } else {
      solve(l + h, n - h);
      update(l + h, n - h, l, h);
      solve(l, h);
    }
  }

  /// Takes what is solved, [l, l + n), from [to, to + m).
  void update(int l, int n, int to, int m) {
    if (side_ == Side::Left)
      blas::gemm(op_, Op::NoTrans, T(-1), blockOf(to, m, l, n), part(l, n), T(1), part(to, m));
    else
      blas::gemm(Op::NoTrans, op_, T(-1), part(l, n), blockOf(l, n, to, m), T(1), part(to, m));
  }

  void solveLeaf(int l, int n) {
    const Tile<T> b = part(l, n);
    if (l + n > whole_)
      return blas::trsm(side_, uplo_, op_, diag_, T(1), block(A_, l, l, n, n), b);
    const Tile<T> inverse = block(X_, l, l, n, n);
    cuda::omatcopy<T>(Op::NoTrans, T(1), b, Y_);
    if (side_ == Side::Left)
      blas::gemm(op_, Op::NoTrans, T(1), inverse, Y_, T(0), b);
    else
      blas::gemm(Op::NoTrans, op_, T(1), Y_, inverse, T(0), b);
  }

  const Side side_;
  const Uplo uplo_;
  const Op op_;
  const Diag diag_;
  const int n_, whole_;
  const ConstTile<T> A_;
  const Tile<T> B_, X_, Y_;
};

} // namespace

template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if (alpha == T(0))
    return cuda::scal(alpha, B);
  const int order = side == Side::Left ? B.m() : B.n(), others = side == Side::Left ? B.n() : B.m();
  if (order == 0 || others == 0)
    return;
  constexpr int fewest = 128; // columns or rows: for fewer the inverses are the most of the work
  if (order < leaf || others < fewest)
    return blas::trsm(side, uplo, op, diag, alpha, A, B);
  if (alpha != T(1))
    cuda::scal(alpha, B);
  Solver<T>(side, uplo, op, diag, A, B).run();
}

#define TLA_INSTANTIATE(T) template void trsm(Side, Uplo, Op, Diag, T, ConstTile<T>, Tile<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
