// LU with partial pivoting of some columns by several thread blocks.
#pragma once

#include "kernels/cuda/together.cuh"
#include "kernels/cuda/warp.cuh"

#include <climits>

namespace tla::kernels::cuda {

/// Columns that are factored one by one, in shared memory; the others of the panel follow by blocks of so many.
inline constexpr int luColumns = lanes;
inline constexpr int luWarps = 16, luThreads = luWarps * lanes;

/// Columns A, from the diagonal down. `pivots` receives of each column the row of A that its diagonal is interchanged
/// with, plus `base`; *info, when it is 0, the first column with a zero pivot, counted from `firstColumn`.
template <typename D> struct LuPanel {
  View<D> A;
  int *pivots;
  int base;
  int *info;
  int firstColumn;
};

/// A row that may become the pivot; what is NaN, and rows that are done, come last, so that all agree.
template <typename R> struct Candidate {
  R size = -2;
  int row = INT_MAX;

  __device__ void keepBetter(const Candidate &other) {
    if (other.size > size || (other.size == size && other.row < row))
      *this = other;
  }
  /// The best of 2 `distance` lanes, in all of them.
  __device__ void keepBestOf(int distance) {
    for (; distance; distance /= 2)
      keepBetter({shuffled(size, distance), shuffled(row, distance)});
  }
};

/// The size by which LAPACK compares pivots (i_amax).
template <typename D> __device__ RealOf<D> pivotSize(D x) {
  using std::fabs;
  const RealOf<D> size = isDeviceComplex<D> ? fabs(realPart(x)) + fabs(imaginaryPart(x)) : fabs(realPart(x));
  return size == size ? size : RealOf<D>(-1);
}

/// The values that blocks exchange for a column: each sends its candidate and the candidate's row, and the one with the
/// diagonal sends the diagonal's row. Two areas are used in turn, as in PanelLetters.
template <typename D> struct LuLetters {
  using Best = Candidate<RealOf<D>>;
  Letter<Best> *candidates;
  Letter<D> *rows;
  unsigned firstRound;
  static __host__ __device__ int rowsOf(int blocks) { return 2 * luColumns * (blocks + 1); }
  static __host__ __device__ int candidatesOf(int blocks) { return 2 * blocks; }

  __device__ unsigned number(int round) const { return firstRound + round; }
  __device__ Letter<Best> &candidate(int round, int of) const { return candidates[round % 2 * gridDim.x + of]; }
  __device__ Letter<D> &row(int round, int of, int column) const {
    return rows[(round % 2 * (gridDim.x + 1) + of) * luColumns + column];
  }
  __device__ Letter<D> &diagonal(int round, int column) const { return row(round, gridDim.x, column); }
};

/// A block's shared memory.
template <typename D> struct LuMemory {
  static constexpr int stride = luColumns + 1;
  D *slice; ///< the block's rows of luColumns columns; one row more than it has, so that rows are read without conflict
  D *work;  ///< interchanges: values of each warp, and the triangle L; update: a block of U
  D *pivot; ///< the pivot's row before the interchange
  D *top;   ///< the diagonal's
  Candidate<RealOf<D>> *best; ///< best candidate of each warp
  int *pivots, *slotRow, *source;

  static constexpr int valuesElements = luWarps * 2 * luColumns, workElements = valuesElements + luColumns * stride;
  static constexpr std::size_t fixedBytes = sizeof(D) * (luColumns + workElements + 2 * luColumns) +
                                            luWarps * sizeof(Candidate<RealOf<D>>) + 5 * luColumns * sizeof(int);
  static constexpr std::size_t rowBytes = sizeof(D) * luColumns;
  __device__ LuMemory(void *memory, int rows)
      : slice(static_cast<D *>(memory)), work(slice + (rows + 1) * luColumns), pivot(work + workElements),
        top(pivot + luColumns), best(reinterpret_cast<Candidate<RealOf<D>> *>(top + luColumns)),
        pivots(reinterpret_cast<int *>(best + luWarps)), slotRow(pivots + luColumns), source(slotRow + 2 * luColumns) {}
};

/// The work of one block, which has the same rows all the time. Of luColumns columns: in each step all choose the pivot
/// among the candidates of all, and take the row from its owner. Then all interchange rows of the other columns, and
/// solve for rows of U, each some columns; then each updates its rows.
template <typename D> class LuBlock {
public:
  using R = RealOf<D>;
  using Best = Candidate<R>;
  __device__ LuBlock(const LuPanel<D> &panel, int rowsOfBlock, LuLetters<D> letters, ArrivalCounter::View arrivals)
      : p(panel), own(cuda_gemm::sharedMemory(), rowsOfBlock), letters_(letters), arrivals_(arrivals),
        rows(rowsOfBlock), blocks(static_cast<int>(gridDim.x)), number(static_cast<int>(blockIdx.x)),
        first(number * rowsOfBlock), count(min(rowsOfBlock, p.A.m - first)), thread(threadIdx.x),
        warp(threadIdx.x / lanes), lane(threadIdx.x % lanes) {}

  __device__ void run() {
    for (left = 0; left < p.A.n; left += luColumns) {
      columns = min(luColumns, p.A.n - left);
      load();
      for (int j = 0; j < columns; ++j)
        step(j);
      __syncthreads();
      finishSlice();
      if (p.A.n <= luColumns)
        return;
      arrivals_.wait();
      interchange();
      if (left + columns == p.A.n)
        return;
      arrivals_.wait();
      update();
      __syncthreads();
    }
  }
  static __host__ __device__ int waits(int columns) {
    return columns <= luColumns ? 0 : 2 * ((columns + luColumns - 1) / luColumns) - 1;
  }

private:
  __device__ D *column(int c) const { return own.slice + c * (rows + 1); }

  __device__ void load() {
    for (int c = warp; c < columns; c += luWarps)
      for (int i = lane; i < count; i += lanes)
        column(c)[i] = readShared(p.A(first + i, left + c));
    __syncthreads();
  }

  __device__ void step(int j) {
    const int diagonal = left + j, round = left + j;
    Best best = bestOfBlock(j, diagonal);
    if (warp == 0)
      choose(best, round);
    else if (warp == 1 && lane < columns && best.row != INT_MAX)
      letters_.row(round, number, lane).send(letters_.number(round), column(lane)[best.row - first]);
    else if (warp == 2 && lane < columns && diagonal >= first && diagonal < first + count)
      letters_.diagonal(round, lane).send(letters_.number(round), column(lane)[diagonal - first]);
    __syncthreads();
    eliminate(j, diagonal);
  }

  __device__ Best bestOfBlock(int j, int diagonal) {
    const D *const x = column(j);
    Best best;
    for (int i = thread; i < count; i += luThreads)
      if (first + i >= diagonal)
        best.keepBetter({pivotSize(x[i]), first + i});
    best.keepBestOf(lanes / 2);
    if (lane == 0)
      own.best[warp] = best;
    __syncthreads();
    best = own.best[lane % luWarps];
    best.keepBestOf(luWarps / 2);
    return best;
  }

  /// Chooses, by one warp, the pivot among all blocks' candidates, and gets its row and that of the diagonal for the
  /// block's other warps.
  __device__ void choose(Best best, int round) {
    if (lane == 0)
      letters_.candidate(round, number).send(letters_.number(round), best);
    for (int b = lane; b < blocks; b += lanes)
      best.keepBetter(letters_.candidate(round, b).await(letters_.number(round)));
    __syncwarp();
    best.keepBestOf(lanes / 2);
    if (lane < columns) {
      own.pivot[lane] = letters_.row(round, best.row / rows, lane).await(letters_.number(round));
      own.top[lane] = letters_.diagonal(round, lane).await(letters_.number(round));
    }
    if (lane == 0)
      own.pivots[round - left] = best.row;
  }

  /// A pivot so small that its inverse is no number is lifted first, and with it the column, which is not larger.
  __device__ void eliminate(int j, int diagonal) {
    constexpr R small = sizeof(R) == sizeof(double) ? R(1e-300) : R(1e-36), large = 1 / small;
    const int pivotRow = own.pivots[j];
    const D pivot = own.pivot[j];
    const R size = pivotSize(pivot), lift = size > 0 && size < small ? large : R(1);
    const D inverse = pivot == D(0) ? D(1) : reciprocal(lift * pivot);
    if (number == 0 && thread == 0 && pivot == D(0) && *p.info == 0)
      *p.info = p.firstColumn + diagonal + 1;
    for (int i = thread; i < count; i += luThreads) {
      const int row = first + i;
      if (row == diagonal) {
        for (int c = 0; c < columns; ++c)
          column(c)[i] = own.pivot[c];
      } else if (row > diagonal) {
        const bool isPivot = row == pivotRow; // gets the diagonal's row
        const D factor = (lift * (isPivot ? own.top[j] : column(j)[i])) * inverse;
        column(j)[i] = factor;
        for (int c = j + 1; c < columns; ++c)
          column(c)[i] = (isPivot ? own.top[c] : column(c)[i]) - factor * own.pivot[c];
        for (int c = 0; c < j && isPivot; ++c)
          column(c)[i] = own.top[c];
      }
    }
  }

  /// The slice goes back, while one warp finds out what its interchanges are together, as planSwaps() does.
  __device__ void finishSlice() {
    if (number == 0 && thread < columns)
      p.pivots[left + thread] = p.base + own.pivots[thread];
    if (warp == luWarps - 1)
      plan();
    for (int c = warp; c < columns; c += luWarps)
      for (int i = lane; i < count; i += lanes)
        if (first + i >= left)
          p.A(first + i, left + c) = column(c)[i];
  }

  __device__ void plan() {
    int slot = lane;
    const bool isSwap = lane < columns;
    if (isSwap) {
      const int to = own.pivots[lane];
      slot = to - left;
      if (slot >= columns) {
        slot = luColumns + lane;
        for (int earlier = lane - 1; earlier >= 0; --earlier)
          if (own.pivots[earlier] == to)
            slot = luColumns + earlier;
      }
      own.slotRow[luColumns + lane] = slot == luColumns + lane ? to : -1;
    } else {
      own.slotRow[luColumns + lane] = -1;
    }
    own.slotRow[lane] = isSwap ? left + lane : -1;
    own.source[lane] = lane;
    own.source[luColumns + lane] = luColumns + lane;
    __syncwarp();
    for (int s = 0; s < columns; ++s) {
      if (lane == s) {
        const int kept = own.source[s];
        own.source[s] = own.source[slot];
        own.source[slot] = kept;
      }
      __syncwarp();
    }
  }

  /// A column a warp: those left of the slice are interchanged, those right of it are solved for U, too.
  __device__ void interchange() {
    D *const L = own.work + LuMemory<D>::valuesElements, *const values = own.work + warp * 2 * luColumns;
    for (int k = warp; k < columns; k += luWarps)
      L[lane * own.stride + k] = lane > k && lane < columns ? readShared(p.A(left + lane, left + k)) : D(0);
    __syncthreads();
    for (int c = number + blocks * warp; c < p.A.n; c += blocks * luWarps) {
      if (c >= left && c < left + columns)
        continue;
      for (int s = lane; s < 2 * luColumns; s += lanes)
        if (own.slotRow[s] >= 0)
          values[s] = readShared(p.A(own.slotRow[s], c));
      __syncwarp();
      D top = lane < columns ? values[own.source[lane]] : D(0);
      if (own.slotRow[luColumns + lane] >= 0)
        p.A(own.slotRow[luColumns + lane], c) = values[own.source[luColumns + lane]];
      __syncwarp();
      if (c > left)
        for (int k = 0; k < columns - 1; ++k) {
          const D u = fromLane(top, k);
          if (lane > k) // an infinite one is not to spread upwards
            top = top - L[lane * own.stride + k] * u;
        }
      if (lane < columns)
        p.A(left + lane, c) = top;
    }
  }

  /// Multiplies, in each block, L U for its rows below the slice; a thread has one of the rows.
  __device__ void update() {
    constexpr int part = isDeviceComplex<D> && sizeof(R) == sizeof(double) ? luColumns / 2 : luColumns, batch = 4;
    D *const U = own.work; // column by column
    for (int right = left + luColumns; right < p.A.n; right += luColumns) {
      const int many = min(luColumns, p.A.n - right);
      __syncthreads();
      for (int c = warp; c < many; c += luWarps)
        U[c * luColumns + lane] = readShared(p.A(left + lane, right + c));
      __syncthreads();
      for (int i = thread; i < count; i += luThreads) {
        const int row = first + i;
        if (row < left + luColumns)
          continue;
        for (int k0 = 0; k0 < luColumns; k0 += part) {
          D l[part];
#pragma unroll
          for (int k = 0; k < part; ++k)
            l[k] = column(k0 + k)[i];
          for (int c = 0; c < many; c += batch) {
            D a[batch];
#pragma unroll
            for (int b = 0; b < batch; ++b)
              a[b] = c + b < many ? readShared(p.A(row, right + c + b)) : D(0);
#pragma unroll
            for (int k = 0; k < part; ++k)
#pragma unroll
              for (int b = 0; b < batch; ++b)
                a[b] = a[b] - l[k] * U[(c + b) * luColumns + k0 + k];
#pragma unroll
            for (int b = 0; b < batch; ++b)
              if (c + b < many)
                p.A(row, right + c + b) = a[b];
          }
        }
      }
    }
  }

  const LuPanel<D> &p;
  const LuMemory<D> own;
  const LuLetters<D> letters_;
  ArrivalCounter::View arrivals_;
  const int rows, blocks, number, first, count;
  const int thread, warp, lane;
  int left = 0, columns = 0; // of the slice
};

/// Runs in luThreads threads of all blocks together, in p.A.n rounds.
template <typename D>
__global__ void __launch_bounds__(luThreads)
    factorLuPanel(LuPanel<D> p, RowParts parts, LuLetters<D> letters, ArrivalCounter::View arrivals) {
  LuBlock<D>(p, parts.rows, letters, arrivals).run();
}

} // namespace tla::kernels::cuda
