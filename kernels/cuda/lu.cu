// LU without pivoting of a tile, and the interchanges of rows.
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/enqueue.cuh"
#include "kernels/cuda/panel_view.cuh"

#include <cassert>

namespace tla::kernels::cuda {

/// The order of the diagonal blocks that one thread block factors.
static constexpr int luLeaf = 32;

/// A = L U of the tile A of at most luLeaf x luLeaf, one thread per element; its first row is row `offset` of the whole
/// tile. Nothing is done once info is set.
template <typename D> static __global__ void factorDiagonalBlock(View<D> A, int offset, int *info) {
  __shared__ D shared[luLeaf][luLeaf + 1];
  __shared__ bool stopped;
  const int i = threadIdx.x, j = threadIdx.y, n = A.n;
  const bool inside = i < n && j < n;
  if (i == 0 && j == 0)
    stopped = *info != 0;
  if (inside)
    shared[i][j] = A(i, j);
  __syncthreads();
  for (int k = 0; k < n && !stopped; ++k) {
    const D pivot = shared[k][k];
    if (pivot == D(0)) {
      if (i == 0 && j == 0) {
        stopped = true;
        *info = offset + k + 1;
      }
    } else if (j == k && i > k && inside) {
      shared[i][k] = shared[i][k] * reciprocal(pivot);
    }
    __syncthreads();
    if (!stopped && inside && i > k && j > k)
      shared[i][j] = shared[i][j] - shared[i][k] * shared[k][j];
    __syncthreads();
  }
  if (inside)
    A(i, j) = shared[i][j];
}

/// Columns [l, l + w) of A from row l on: the left half, its effect on the right half, the right half.
template <typename T> static void factorColumns(Tile<T> A, int l, int w) {
  if (w > luLeaf) {
    const int h = (w / 2 + luLeaf - 1) / luLeaf * luLeaf, below = A.m() - l - h;
    factorColumns(A, l, h);
    const Tile<T> right = block(A, l, l + h, h, w - h);
    cuda::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), block(A, l, l, h, h), right);
    cuda::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), block(A, l + h, l, below, h), right, T(1),
                  block(A, l + h, l + h, below, w - h));
    return factorColumns(A, l + h, w - h);
  }
  const Tile<T> diagonal = block(A, l, l, w, w);
  enqueue(1, dim3(luLeaf, luLeaf), 0, factorDiagonalBlock<DeviceType<T>>, viewOf<T>(diagonal), l,
          Launch::current().deviceInfo());
  cuda::trsm<T>(Side::Right, Uplo::Upper, Op::NoTrans, Diag::NonUnit, T(1), diagonal,
                block(A, l + w, l, A.m() - l - w, w));
}

/// Behind a zero pivot A holds what the rest of the work makes of it.
template <typename T> int getrf_nopiv(Tile<T> A) {
  const int k = std::min(A.m(), A.n());
  if (k == 0)
    return 0;
  factorColumns(A, 0, k);
  cuda::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), block(A, 0, 0, k, k),
                block(A, 0, k, k, A.n() - k));
  return 0;
}

/// As many interchanges as are taken together: one thread each.
static constexpr int mostSwaps = 512;

/// Interchanges [first, first + count) as one permutation of slots. Slot s < count is row first + s; slot count + t is
/// the row to which interchange t goes, when that is none of these rows and no earlier interchange goes there.
/// rows[slot] is its row in the panel, -1 for none; source[slot] the slot that its new content comes from.
static __global__ void planSwaps(View<int> ipiv, int first, int count, int row, int inc, int *rows, int *source) {
  __shared__ int target[mostSwaps], slotOf[mostSwaps], content[2 * mostSwaps];
  const int t = threadIdx.x;
  if (t < count)
    target[t] = ipiv(first + t, 0) - 1 - row;
  __syncthreads();
  if (t < count) {
    const int to = target[t];
    int slot = to - first;
    if (slot < 0 || slot >= count) {
      slot = count + t;
      for (int earlier = t - 1; earlier >= 0; --earlier)
        if (target[earlier] == to)
          slot = count + earlier;
    }
    slotOf[t] = slot;
    rows[t] = first + t;
    rows[count + t] = slot == count + t ? to : -1;
    content[t] = t;
    content[count + t] = count + t;
  }
  __syncthreads();
  if (t == 0)
    for (int s = 0; s < count; ++s) {
      const int i = inc == 1 ? s : count - 1 - s, p = slotOf[i], kept = content[i];
      content[i] = content[p];
      content[p] = kept;
    }
  __syncthreads();
  if (t < count) {
    source[t] = content[t];
    source[count + t] = content[count + t];
  }
}

/// One block per column: all rows concerned are read, then written. Neighbouring threads have neighbouring rows, so
/// that the top rows are read and written in whole lines; swaps one after the other would go through single elements of
/// each column ([Dongarra14] 6.7.2, where the matrix is stored transposed for the same end).
template <typename D>
static __global__ void permuteRows(PanelView<D> A, int n, int slots, const int *rows, const int *source) {
  __shared__ D values[2 * mostSwaps];
  for (int j = blockIdx.x; j < n; j += gridDim.x) {
    for (int s = threadIdx.x; s < slots; s += blockDim.x)
      if (rows[s] >= 0) {
        int ld;
        const D *const x = A.row(rows[s], ld);
        values[s] = x[static_cast<long>(j) * ld];
      }
    __syncthreads();
    for (int s = threadIdx.x; s < slots; s += blockDim.x)
      if (rows[s] >= 0 && source[s] != s) {
        int ld;
        D *const x = A.row(rows[s], ld);
        x[static_cast<long>(j) * ld] = values[source[s]];
      }
    __syncthreads();
  }
}

template <typename T> void laswp(int row, ConstTile<int> ipiv, int inc, Panel<T> A) {
  assert((inc == 1 || inc == -1) && "the order of the pivots or its reverse");
  const int k = ipiv.m(), n = A.n();
  if (k == 0 || n == 0)
    return;
  if (A.mt() > PanelView<DeviceType<T>>::mostTiles)
    throw CudaError("a panel of " + std::to_string(A.mt()) + " tiles is more than laswp takes on a CUDA device (" +
                    std::to_string(PanelView<DeviceType<T>>::mostTiles) + ")");
  const PanelView<DeviceType<T>> view = viewOfPanel(A, 0, A.mt());
  const View<int> pivots{const_cast<int *>(ipiv.data()), k, 1, ipiv.ld()};
  const Tile<int> plan = scratchTile<int>(2 * mostSwaps, 2);
  int *const rows = &plan(0, 0), *const source = &plan(0, 1);
  const int parts = (k + mostSwaps - 1) / mostSwaps;
  for (int part = 0; part < parts; ++part) {
    const int first = mostSwaps * (inc == 1 ? part : parts - 1 - part), count = std::min(mostSwaps, k - first);
    enqueue(1, mostSwaps, 0, planSwaps, pivots, first, count, row, inc, rows, source);
    enqueue(std::min(n, 65535), 256, 0, permuteRows<DeviceType<T>>, view, n, 2 * count, rows, source);
  }
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template int getrf_nopiv(Tile<T>);                                                                                   \
  template void laswp(int, ConstTile<int>, int, Panel<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
