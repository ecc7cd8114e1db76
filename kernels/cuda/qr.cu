// The tile kernels of QR: nearly all of the work is gemm. A panel's triangular factor is merged from those of its
// halves (Elmroth & Gustavson, Applying recursion to serial and parallel QR factorization leads to better performance,
// IBM J. Res. Dev. 44, 2000), and where LAPACK multiplies by a triangle we multiply by the whole ([Dongarra14] 6.7.4).
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/qr_panel.cuh"

namespace tla::kernels::cuda {

/// Columns of V as gemm can use them: ones and zeros written out where the vectors are not stored.
template <typename T> static void copyVectors(Vectors shape, int l, ConstTile<T> V, Tile<T> X) {
  forEach(X.m(), X.n(), [shape, l, v = viewOf<T>(V), x = viewOf<T>(X)] __device__(int i, int j) {
    using D = DeviceType<T>;
    if (shape == Vectors::BelowDiagonal)
      x(i, j) = i > l + j ? v(i, j) : D(i == l + j);
    else
      x(i, j) = i <= l + j ? v(i, j) : D(0);
  });
}

/// X = the upper triangles of the factors in W, zeros below them.
template <typename T> static void copyFactors(int ib, ConstTile<T> W, Tile<T> X) {
  forEach(X.m(), X.n(), [ib, w = viewOf<T>(W), x = viewOf<T>(X)] __device__(int i, int j) {
    x(i, j) = i <= j % ib ? w(i, j) : DeviceType<T>(0);
  });
}

/// A block of `n` reflectors from l on.
template <typename T> struct BlockReflector {
  int l, n;
  ConstTile<T> V; ///< a column per vector, without the ones in the top tile: rows [first, first + V.m()) of the tile
  int first;
  ConstTile<T> F; ///< zeros below the diagonal
};

/// C = op(I - V F V^H) C for columns of C1 over C2; X and Y are scratch of C1's columns. BelowDiagonal has no C1.
template <typename T>
static void apply(Vectors shape, Op op, const BlockReflector<T> &H, Tile<T> C1, Tile<T> C2, Tile<T> X, Tile<T> Y) {
  const int columns = C2.n();
  if (columns == 0)
    return;
  const bool hasTop = shape != Vectors::BelowDiagonal;
  const Tile<T> top = block(C1, H.l, 0, H.n, columns), bottom = block(C2, H.first, 0, H.V.m(), columns);
  const Tile<T> x = block(X, 0, 0, H.n, columns), y = block(Y, 0, 0, H.n, columns);
  if (hasTop)
    cuda::omatcopy<T>(Op::NoTrans, T(1), top, x);
  cuda::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), H.V, bottom, T(hasTop ? 1 : 0), x);
  if (hasTop) {
    cuda::gemm<T>(op, Op::NoTrans, T(1), H.F, x, T(0), y);
    cuda::gemm<T>(op, Op::NoTrans, T(-1), H.F, x, T(1), top);
  } else {
    cuda::gemm<T>(op, Op::NoTrans, T(1), H.F, x, T(0), y);
  }
  cuda::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), H.V, y, T(1), bottom);
}

template <typename T> static std::optional<RowParts> partsOf(int rows, const Multiprocessors &device) {
  using Memory = PanelMemory<DeviceType<T>>;
  constexpr int few = 256;
  return rowPartsOf(rows, few, Memory::bytes(0), sizeof(T) * panelColumns, device);
}

/// Columns of several thread blocks, over and over.
template <typename T> class PanelLauncher {
public:
  using D = DeviceType<T>;
  /// Prepares for panels of up to `rows` rows. Where shared memory has no room for the slices, they are in the device's
  /// memory.
  explicit PanelLauncher(int rows) : device_(multiprocessorsOfDevice()) {
    if (!partsOf<T>(rows, device_)) {
      const RowParts parts = partsElsewhere(rows);
      slices_ = static_cast<D *>(
          Launch::current().scratch(sizeof(D) * panelColumns * parts.rows * static_cast<std::size_t>(parts.blocks)));
    }
    // Of all multiprocessors: fewer rows may be dealt to more blocks than more rows are.
    const std::size_t bytes = 2 * sizeof(Letter<D>) * PanelLetters<D>::areaOf(device_.count);
    letters_ = static_cast<Letter<D> *>(Launch::current().scratch(bytes));
    TLA_CUDA_CHECK(cudaMemsetAsync(letters_, 0, bytes, Launch::current().stream()));
  }
  void factor(const QrPanel<D> &panel) {
    const int rows = panel.end() - panel.begin();
    const std::optional<RowParts> shared = partsOf<T>(rows, device_);
    const RowParts parts = shared ? *shared : partsElsewhere(rows);
    const PanelLetters<D> letters{letters_, rounds_.take(panel.columns + 1)};
    enqueueTogether(device_, parts.blocks, panelThreads, PanelMemory<D>::bytes(shared ? parts.rows : 0),
                    shared ? factorPanel<D, false> : factorPanel<D, true>, panel, parts, letters, slices_);
  }

private:
  RowParts partsElsewhere(int rows) const {
    const int each = ((rows + device_.count - 1) / device_.count + lanes - 1) / lanes * lanes;
    return {(rows + each - 1) / each, each};
  }

  const Multiprocessors device_;
  Letter<D> *letters_;
  D *slices_ = nullptr;
  Rounds rounds_;
};

/// F12 = -F1 X F2, of no more than panelColumns rows and columns each, by one block, a thread for each element.
template <typename D>
static __global__ void __launch_bounds__(panelColumns *panelColumns)
    multiplyFactors(View<D> F1, View<D> X, View<D> F2, View<D> F12) {
  __shared__ D y[panelColumns][panelColumns + 1];
  const int i = threadIdx.x, j = threadIdx.y;
  const bool isInside = i < F12.m && j < F12.n;
  D sum(0);
  for (int k = 0; k < F2.m && isInside; ++k)
    sum = sum + X(i, k) * F2(k, j);
  y[i][j] = sum;
  __syncthreads();
  sum = D(0);
  for (int k = 0; k < F1.m && isInside; ++k)
    sum = sum - F1(i, k) * y[k][j];
  if (isInside)
    F12(i, j) = sum;
}

/// QR of `top` over A (for BelowDiagonal they are the same tile), in columns blocked by ib.
template <typename T> class Factorization {
public:
  Factorization(Vectors shape, int ib, Tile<T> top, Tile<T> A, OutTile<T> W)
      : shape_(shape), k_(shape == Vectors::BelowDiagonal ? std::min(A.m(), A.n()) : A.n()),
        ib_(std::max(1, std::min(ib, k_))), top_(top), A_(A), W_(W.data(), W.m(), W.n(), W.ld()),
        clean_(shape == Vectors::Full ? A : scratchTile<T>(A.m(), k_)), X_(scratchTile<T>(ib_, std::max(A.n(), ib_))),
        Y_(scratchTile<T>(ib_, std::max(A.n(), ib_))), panels_(A.m()) {}

  void run() {
    cuda::laset<T>(T(0), T(0), W_);
    if (shape_ != Vectors::Full)
      cuda::laset<T>(T(0), T(0), clean_);
    for (int l = 0; l < k_; l += ib_) {
      const int n = std::min(ib_, k_ - l);
      factor(l, l, n);
      applyTo(l, l, n, l + n, A_.n() - l - n);
    }
  }

private:
  /// Reflectors [l, l + n) of the block that begins at `origin`.
  BlockReflector<T> reflector(int origin, int l, int n) const {
    const int first = shape_ == Vectors::BelowDiagonal ? l : 0;
    const int end = shape_ == Vectors::Upper ? std::min(l + n, A_.m()) : A_.m();
    return {l, n, block(clean_, first, l, end - first, n), first, factorOf(origin, l, n)};
  }
  Tile<T> factorOf(int origin, int l, int n) const { return block(W_, l - origin, l, n, n); }

  void factor(int origin, int l, int n) {
    if (n <= panelColumns)
      return panels_.factor(
          {shape_, viewOf<T>(top_), viewOf<T>(A_), viewOf<T>(factorOf(origin, l, n)), viewOf<T>(clean_), l, n});
    const int h = (n / 2 + panelColumns - 1) / panelColumns * panelColumns;
    factor(origin, l, h);
    applyTo(origin, l, h, l + h, n - h);
    factor(origin, l + h, n - h);
    mergeFactors(origin, l, h, n - h);
  }

  /// Q^H of reflectors [l, l + n) on columns [c, c + columns).
  void applyTo(int origin, int l, int n, int c, int columns) {
    apply<T>(shape_, Op::ConjTrans, reflector(origin, l, n), block(top_, 0, c, top_.m(), columns),
             block(A_, 0, c, A_.m(), columns), X_, Y_);
  }

  /// The factor of both halves has -F1 (V1^H V2) F2 above the diagonal.
  void mergeFactors(int origin, int l, int h, int n) {
    const BlockReflector<T> left = reflector(origin, l, h), right = reflector(origin, l + h, n);
    // The rows that both have: the left half's begin higher, the right half's end lower.
    const int rows = std::min(left.first + left.V.m(), right.first + right.V.m()) - right.first;
    const Tile<T> x = block(X_, 0, 0, h, n), y = block(Y_, 0, 0, h, n);
    cuda::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), block(left.V, right.first - left.first, 0, rows, h),
                  block(right.V, 0, 0, rows, n), T(0), x);
    if (std::max(h, n) <= panelColumns) // one kernel in place of two
      return enqueue(1, dim3(panelColumns, panelColumns), 0, multiplyFactors<DeviceType<T>>, viewOf<T>(left.F),
                     viewOf<T>(x), viewOf<T>(right.F), viewOf<T>(block(W_, l - origin, l + h, h, n)));
    cuda::gemm<T>(Op::NoTrans, Op::NoTrans, T(1), x, right.F, T(0), y);
    cuda::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), left.F, y, T(0), block(W_, l - origin, l + h, h, n));
  }

  const Vectors shape_;
  const int k_, ib_;
  const Tile<T> top_, A_, W_, clean_, X_, Y_;
  PanelLauncher<T> panels_;
};

/// C = op(Q) C of k reflectors: Q^H takes the blocks in their order, Q in the reverse.
template <typename T>
static void applyQ(Vectors shape, Op op, int k, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  if (k == 0 || C2.n() == 0)
    return;
  ib = std::min(ib, k);
  ConstTile<T> vectors = V;
  if (shape != Vectors::Full) {
    const Tile<T> copy = scratchTile<T>(V.m(), k);
    copyVectors<T>(shape, 0, V, copy);
    vectors = copy;
  }
  const Tile<T> factors = scratchTile<T>(ib, k), X = scratchTile<T>(ib, C2.n()), Y = scratchTile<T>(ib, C2.n());
  copyFactors<T>(ib, W, factors);
  const int blocks = (k + ib - 1) / ib;
  for (int step = 0; step < blocks; ++step) {
    const int l = ib * (op == Op::NoTrans ? blocks - 1 - step : step), n = std::min(ib, k - l);
    const int first = shape == Vectors::BelowDiagonal ? l : 0;
    const int end = shape == Vectors::Upper ? std::min(l + n, V.m()) : V.m();
    apply<T>(shape, op,
             {l, n, block(vectors, first, l, end - first, n), first, block<T, ConstTile>(factors, 0, l, n, n)}, C1, C2,
             X, Y);
  }
}

template <typename T> void geqrt(int ib, Tile<T> A, OutTile<T> W) {
  Factorization<T>(Vectors::BelowDiagonal, ib, A, A, W).run();
}
template <typename T> void tsqrt(int ib, Tile<T> R, Tile<T> A, OutTile<T> W) {
  Factorization<T>(Vectors::Full, ib, R, A, W).run();
}
template <typename T> void ttqrt(int ib, Tile<T> R, Tile<T> R2, OutTile<T> W) {
  Factorization<T>(Vectors::Upper, ib, R, R2, W).run();
}

template <typename T> bool geqrfTogether(Tile<T> A, OutTile<T> tau, OutTile<T> W) {
  if (!partsOf<T>(A.m(), multiprocessorsOfDevice()))
    return false;
  const int k = std::min(A.m(), A.n());
  Factorization<T>(Vectors::BelowDiagonal, k, A, A, W).run();
  forEach(k, 1, [w = viewOf<T>(W), t = viewOf<T>(tau)] __device__(int i, int) { t(i, 0) = w(i, i); });
  return true;
}

template <typename T> void unmqr(Op op, int ib, ConstTile<T> V, ConstTile<T> W, Tile<T> C) {
  applyQ<T>(Vectors::BelowDiagonal, op, std::min(V.m(), V.n()), ib, C, C, V, W);
}
template <typename T> void tsmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  applyQ<T>(Vectors::Full, op, V.n(), ib, C1, C2, V, W);
}
template <typename T> void ttmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  applyQ<T>(Vectors::Upper, op, V.n(), ib, C1, C2, V, W);
}

/// Rows [row, row + V.m()) of the vectors of a panel, as gemm can use them: the tile itself where it lies below them
/// all.
template <typename T> static ConstTile<T> panelVectors(ConstTile<T> V, int row, int k) {
  if (row >= k)
    return block(V, 0, 0, V.m(), k);
  const Tile<T> copy = scratchTile<T>(V.m(), k);
  copyVectors<T>(Vectors::BelowDiagonal, -row, V, copy);
  return copy;
}

/// F^-1 has the strict upper triangle of V^H V, and 1 / tau on its diagonal: with I - V F V^H unitary, F^-1 + F^-H is
/// V^H V. A reflector with tau = 0 is the identity, and has zeros in F.
template <typename T> void larft(ConstPanel<T> V, ConstTile<T> tau, OutTile<T> W) {
  const int k = tau.m();
  cuda::laset<T>(T(0), T(0), W);
  if (k == 0)
    return;
  const Tile<T> S = scratchTile<T>(k, k), F = block(Tile<T>(W.data(), W.m(), W.n(), W.ld()), 0, 0, k, k);
  for (int r = 0, row = 0; r < V.mt(); row += V(r++).m())
    cuda::herk<T>(Uplo::Upper, Op::ConjTrans, 1, panelVectors<T>(V(r), row, k), r > 0 ? 1 : 0, S);
  forEach(k, k, [s = viewOf<T>(S), f = viewOf<T>(F), t = viewOf<T>(tau)] __device__(int i, int j) {
    using D = DeviceType<T>;
    const bool isIdentity = t(i, 0) == D(0) || t(j, 0) == D(0);
    if (i == j)
      s(i, j) = isIdentity ? D(1) : reciprocal(t(i, 0));
    else if (isIdentity)
      s(i, j) = D(0);
    f(i, j) = D(i == j);
  });
  cuda::trsm<T>(Side::Left, Uplo::Upper, Op::NoTrans, Diag::NonUnit, T(1), S, F);
  forEach(k, 1, [f = viewOf<T>(F), t = viewOf<T>(tau)] __device__(int i, int) {
    if (t(i, 0) == DeviceType<T>(0))
      f(i, i) = DeviceType<T>(0);
  });
}

/// X = V^H C, Y = op(F) X, C -= V Y, tile by tile.
template <typename T> void larfb(Op op, ConstPanel<T> V, ConstTile<T> W, Panel<T> C) {
  const int k = std::min(V.m(), V.n()), n = C.n();
  if (k == 0 || n == 0)
    return;
  const Tile<T> F = scratchTile<T>(k, k), X = scratchTile<T>(k, n), Y = scratchTile<T>(k, n);
  copyFactors<T>(k, W, F);
  std::vector<ConstTile<T>> vectors;
  for (int r = 0, row = 0; r < V.mt(); row += V(r++).m()) {
    vectors.push_back(panelVectors<T>(V(r), row, k));
    cuda::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), vectors.back(), C(r), T(r > 0 ? 1 : 0), X);
  }
  cuda::gemm<T>(op, Op::NoTrans, T(1), F, X, T(0), Y);
  for (int r = 0; r < V.mt(); ++r)
    cuda::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), vectors[r], Y, T(1), C(r));
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template void geqrt(int, Tile<T>, OutTile<T>);                                                                       \
  template bool geqrfTogether(Tile<T>, OutTile<T>, OutTile<T>);                                                        \
  template void tsqrt(int, Tile<T>, Tile<T>, OutTile<T>);                                                              \
  template void ttqrt(int, Tile<T>, Tile<T>, OutTile<T>);                                                              \
  template void unmqr(Op, int, ConstTile<T>, ConstTile<T>, Tile<T>);                                                   \
  template void tsmqr(Op, int, Tile<T>, Tile<T>, ConstTile<T>, ConstTile<T>);                                          \
  template void ttmqr(Op, int, Tile<T>, Tile<T>, ConstTile<T>, ConstTile<T>);                                          \
  template void larft(ConstPanel<T>, ConstTile<T>, OutTile<T>);                                                        \
  template void larfb(Op, ConstPanel<T>, ConstTile<T>, Panel<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
