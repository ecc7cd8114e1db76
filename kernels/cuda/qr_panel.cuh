// QR of a few columns by several thread blocks, column by column.
#pragma once

#include "kernels/cuda/together.cuh"
#include "kernels/cuda/warp.cuh"

namespace tla::kernels::cuda {

/// Where the vectors lie in a tile V, as in kernels/reference/qr_blocks.hpp: v_j has its one in row j of the top tile,
/// and below it
enum class Vectors {
  BelowDiagonal, ///< rows [j + 1, m) of column j, of the top tile itself (geqrt)
  Full,          ///< the whole of column j, of a second tile (tsqrt)
  Upper,         ///< rows [0, j] of column j, of a second tile (ttqrt)
};

inline constexpr int panelColumns = lanes, panelWarps = 16, panelThreads = panelWarps * lanes;

/// A power of two about 1 / x, by which the largest of a column becomes about 1; its inverse is a number, too.
inline __device__ double powerNear(double x) {
  return x > 0 && x < HUGE_VAL ? ldexp(1.0, -min(max(ilogb(x), -1000), 1000)) : 1;
}
inline __device__ float powerNear(float x) {
  return x > 0 && x < HUGE_VALF ? ldexpf(1.0f, -min(max(ilogbf(x), -120), 120)) : 1;
}

/// The matrices of a panel: columns [l, l + columns) of A below the rows [l, l + columns) of `top`, which is A for
/// BelowDiagonal; F receives the upper triangular factor of their reflectors, nothing below its diagonal, and `clean`
/// (not for Full) receives, in the same columns of the rows that are concerned, the vectors as gemm can use them, ones
/// and zeros written out.
template <typename D> struct QrPanel {
  Vectors shape;
  View<D> top, A, F, clean;
  int l, columns;

  /// The rows of A that are concerned.
  __host__ __device__ int begin() const { return shape == Vectors::BelowDiagonal ? l : 0; }
  __host__ __device__ int end() const { return shape == Vectors::Upper && l + columns < A.m ? l + columns : A.m; }
};

/// The values that blocks exchange in a round: each block sends a value for each column, and the first one a row. Two
/// areas are used in turn: a block may write into one a round before another stops reading the other, and not earlier.
template <typename D> struct PanelLetters {
  Letter<D> *area;
  unsigned firstRound;
  static __host__ __device__ int areaOf(int blocks) { return panelColumns * (blocks + 1); }

  __device__ unsigned number(int round) const { return firstRound + round; }
  /// `of` a block, for the column.
  __device__ Letter<D> &value(int round, int column, int of) const {
    const int blocks = static_cast<int>(gridDim.x);
    return area[round % 2 * areaOf(blocks) + column * blocks + of];
  }
  __device__ Letter<D> &row(int round, int column) const { return value(round, panelColumns, column); }
};

/// A block's shared memory; for panels that are too tall, all but the slice. The compiler is to know which, since it
/// reads shared memory by instructions of its own.
template <typename D, bool isTall = false> struct PanelMemory {
  static constexpr int stride = panelColumns + 1; // no two rows of a column in the same bank
  D *slice;                                       ///< the block's rows, column by column
  D *top;                                         ///< rows of `top`, row by row; of the first block, not BelowDiagonal
  D *products;                                    ///< V^H V above its diagonal, row by row; of the first block
  D *sums, *row;                                  ///< sums and row of a step, a value for each column
  D *factors, *taus;                              ///< v_c is column c of the slice by factors[c]
  D *scales;                                      ///< factors by which columns were multiplied

  static constexpr int fixedElements = 2 * panelColumns * stride + 5 * panelColumns;
  static __host__ __device__ std::size_t bytes(int rows) {
    return sizeof(D) * (static_cast<std::size_t>(panelColumns) * rows + fixedElements);
  }
  __device__ PanelMemory(void *memory, int rows, D *elsewhere)
      : slice(isTall ? elsewhere : static_cast<D *>(memory)),
        top(static_cast<D *>(memory) + (isTall ? 0 : panelColumns * rows)), products(top + panelColumns * stride),
        sums(products + panelColumns * stride), row(sums + panelColumns), factors(row + panelColumns),
        taus(factors + panelColumns), scales(taus + panelColumns) {}
};

/// LAPACK's larfg from alpha and the sum of the squares below it: v is 1 over `factor` x. Of a column about 1 at first
/// what is left may be so little that squares vanish: then it is none, and what it would do to zero is left there,
/// 1e-15 (float) or 1e-145 of the column.
template <typename D> struct Reflector {
  D tau{0}, factor{0};
  D beta;
  __device__ Reflector(D alpha, RealOf<D> squares) : beta(realPart(alpha)) {
    using R = RealOf<D>;
    const R re = realPart(alpha), im = imaginaryPart(alpha);
    constexpr R least = sizeof(R) == sizeof(double) ? R(1e-290) : R(1e-30);
    const R sum = re * re + im * im + squares;
    if ((squares == 0 && im == 0) || sum < least)
      return;
    const R inverse = copysign(rsqrt(sum), re);
    beta = D(-(sum * inverse));
    factor = reciprocal(alpha - beta);
    tau = D(1) + inverse * alpha; // (beta - alpha) / beta
  }
};

/// The work of one block. In each step all of them add up x^H A for the column x that is next, over their own rows:
/// from these products, of which that with x itself is its norm, each knows the reflector and what it does to the other
/// columns; those left of it are what the triangular factor consists of (larft). So blocks wait for each other once per
/// column. x is not divided by its norm until the end. Columns are multiplied by powers of two first.
template <typename D, bool isTall> class PanelBlock {
public:
  using R = RealOf<D>;
  /// `slices`: of all blocks, when the panel is tall.
  __device__ PanelBlock(const QrPanel<D> &panel, int rowsOfBlock, PanelLetters<D> letters, D *slices)
      : p(panel), own(cuda_gemm::sharedMemory(), rowsOfBlock,
                      isTall ? slices + static_cast<long>(blockIdx.x) * panelColumns * rowsOfBlock : nullptr),
        letters_(letters), rows(rowsOfBlock), blocks(static_cast<int>(gridDim.x)), number(static_cast<int>(blockIdx.x)),
        first(p.begin() + number * rowsOfBlock), count(min(rowsOfBlock, p.end() - first)), isFirst(number == 0),
        hasDiagonal(isFirst && p.shape == Vectors::BelowDiagonal), hasTop(isFirst && p.shape != Vectors::BelowDiagonal),
        thread(threadIdx.x), warp(threadIdx.x / lanes), lane(threadIdx.x % lanes) {}

  __device__ void run() {
    load();
    scale();
    for (int j = 0; j < p.columns; ++j)
      step(j);
    store();
    if (isFirst)
      invertFactor();
  }

private:
  __device__ D *column(int c) const { return own.slice + static_cast<long>(c) * rows; }
  __device__ D &topElement(int r, int c) const { return hasDiagonal ? column(c)[r] : own.top[r * own.stride + c]; }
  /// Whether element i of the block's column c is stored: what lies below an Upper one is not its own.
  __device__ bool isStored(int i, int c) const { return p.shape != Vectors::Upper || first + i <= p.l + c; }
  /// The first of the block's rows that holds a part of v_j.
  __device__ int begin(int j) const { return hasDiagonal ? j + 1 : 0; }

  __device__ void load() {
    for (int c = warp; c < p.columns; c += panelWarps) {
      for (int i = lane; i < count; i += lanes)
        column(c)[i] = isStored(i, c) ? p.A(first + i, p.l + c) : D(0);
      if (hasTop && lane <= c)
        topElement(lane, c) = p.top(p.l + lane, p.l + c);
    }
    __syncthreads();
  }

  __device__ void scale() {
    for (int c = warp; c < p.columns; c += panelWarps) {
      R largest = hasTop && lane <= c ? largestPart(topElement(lane, c)) : R(0);
      for (int i = lane; i < count; i += lanes)
        largest = largerOf(largest, largestPart(column(c)[i]));
      largest = warpMax(largest);
      if (lane == 0)
        letters_.value(0, c, number).send(letters_.number(0), D(largest));
    }
    for (int c = warp; c < p.columns; c += panelWarps) {
      R largest = 0;
      for (int b = lane; b < blocks; b += lanes)
        largest = largerOf(largest, realPart(letters_.value(0, c, b).await(letters_.number(0))));
      __syncwarp();
      const R factor = powerNear(warpMax(largest));
      if (lane == 0)
        own.scales[c] = D(factor);
      for (int i = lane; i < count; i += lanes)
        column(c)[i] = factor * column(c)[i];
      if (hasTop && lane <= c)
        topElement(lane, c) = factor * topElement(lane, c);
    }
    __syncthreads();
  }

  __device__ void step(int j) {
    multiply(j);
    addUp(j);
    __syncthreads();
    const Reflector<D> H(own.row[j], realPart(own.sums[j]));
    if (thread == 0)
      own.factors[j] = H.factor;
    if (isFirst)
      noteStep(j, H);
    reflect(j, H);
    __syncthreads();
  }

  /// Round j + 1: x^H A over the block's rows, two columns a warp.
  __device__ void multiply(int j) {
    const D *const x = column(j);
    const int from = begin(j), round = j + 1;
    for (int c = warp; c < p.columns; c += 2 * panelWarps) {
      const int d = min(c + panelWarps, p.columns - 1);
      const D *const a = column(c), *const b = column(d);
      D ofA(0), ofB(0);
#pragma unroll 4
      for (int i = from / lanes * lanes + lane; i < count; i += lanes)
        if (i >= from) {
          const D factor = conjugate(x[i]);
          ofA = ofA + factor * a[i];
          ofB = ofB + factor * b[i];
        }
      for (int distance = lanes / 2; distance; distance /= 2) {
        ofA = ofA + shuffled(ofA, distance);
        ofB = ofB + shuffled(ofB, distance);
      }
      if (lane == 0)
        letters_.value(round, c, number).send(letters_.number(round), ofA);
      else if (lane == 1 && c + panelWarps < p.columns)
        letters_.value(round, d, number).send(letters_.number(round), ofB);
    }
    if (isFirst && thread < p.columns)
      letters_.row(round, thread)
          .send(letters_.number(round), hasDiagonal || thread >= j ? topElement(j, thread) : D(0));
  }

  __device__ void addUp(int j) {
    const int round = j + 1;
    for (int c = warp; c < p.columns; c += 2 * panelWarps) {
      const int d = min(c + panelWarps, p.columns - 1);
      D ofA(0), ofB(0), a, b;
      for (int from = lane; from < blocks; from += lanes) {
        const Letter<D> &letterA = letters_.value(round, c, from), &letterB = letters_.value(round, d, from);
        Patience patience;
        for (;;) {
          const bool first = letterA.receive(letters_.number(round), a);
          if (letterB.receive(letters_.number(round), b) && first)
            break;
          patience.wait();
        }
        ofA = ofA + a;
        ofB = ofB + b;
      }
      __syncwarp();
      for (int distance = lanes / 2; distance; distance /= 2) {
        ofA = ofA + shuffled(ofA, distance);
        ofB = ofB + shuffled(ofB, distance);
      }
      if (lane == 0)
        own.sums[c] = ofA;
      else if (lane == 1 && c + panelWarps < p.columns)
        own.sums[d] = ofB;
    }
    const int reader = thread - (panelWarps - 1) * lanes; // a warp that may have had less to add up
    if (reader >= 0 && reader < p.columns)
      own.row[reader] = letters_.row(round, reader).await(letters_.number(round));
  }

  /// The part of the reflection that row j of column c loses; rows below lose it times v.
  __device__ D reflection(int c, const Reflector<D> &H) const {
    return conjugate(H.tau) * (own.row[c] + conjugate(H.factor) * own.sums[c]);
  }

  /// Row j of the top, and v_c^H v_j for c < j.
  __device__ void noteStep(int j, const Reflector<D> &H) {
    const int c = thread - (panelWarps - 1) * lanes;
    if (c < 0 || c >= p.columns)
      return;
    if (c > j) {
      topElement(j, c) = own.row[c] - reflection(c, H);
    } else if (c == j) {
      topElement(j, c) = H.beta;
      own.taus[j] = H.tau;
    } else {
      D product = conjugate(own.factors[c] * own.sums[c]) * H.factor;
      if (hasDiagonal)
        product = product + conjugate(own.factors[c] * own.row[c]);
      own.products[c * own.stride + j] = product;
    }
  }

  __device__ void reflect(int j, const Reflector<D> &H) {
    const D *const x = column(j);
    const int from = begin(j);
    for (int c = j + 1 + warp; c < p.columns; c += panelWarps) {
      D *const a = column(c);
      const D w = H.factor * reflection(c, H);
#pragma unroll 4
      for (int i = from / lanes * lanes + lane; i < count; i += lanes)
        if (i >= from)
          a[i] = a[i] - x[i] * w;
    }
  }

  __device__ void store() {
    for (int c = warp; c < p.columns; c += panelWarps) {
      const R back = 1 / realPart(own.scales[c]);
      const D factor = own.factors[c];
      for (int i = lane; i < count; i += lanes) {
        const bool isAbove = hasDiagonal && i <= c, isOwn = isStored(i, c);
        const D vector = column(c)[i] * factor;
        if (isOwn)
          p.A(first + i, p.l + c) = isAbove ? back * column(c)[i] : vector;
        if (p.shape != Vectors::Full)
          p.clean(first + i, p.l + c) = isAbove ? D(i == c) : isOwn ? vector : D(0);
      }
      if (hasTop && lane <= c)
        p.top(p.l + lane, p.l + c) = back * topElement(lane, c);
    }
  }

  /// F is tau (I + P tau)^-1, of the strict upper triangle P of V^H V and the diagonal matrix tau. The slice is stored.
  __device__ void invertFactor() {
    D *const inverse = own.slice;
    const auto at = [](int i, int c) { return i * PanelMemory<D, isTall>::stride + c; };
    __syncthreads();
    for (int i = warp; i < p.columns; i += panelWarps)
      inverse[at(i, lane)] = D(i == lane);
    for (int k = p.columns - 1; k > 0; --k) {
      __syncthreads();
      for (int i = warp; i < k; i += panelWarps)
        if (lane >= k && lane < p.columns)
          inverse[at(i, lane)] = inverse[at(i, lane)] - own.products[at(i, k)] * own.taus[k] * inverse[at(k, lane)];
    }
    __syncthreads();
    for (int c = warp; c < p.columns; c += panelWarps)
      if (lane <= c)
        p.F(lane, c) = own.taus[lane] * inverse[at(lane, c)];
  }

  const QrPanel<D> &p;
  const PanelMemory<D, isTall> own;
  const PanelLetters<D> letters_;
  const int rows, blocks, number, first, count;
  const bool isFirst, hasDiagonal, hasTop;
  const int thread, warp, lane;
};

/// Runs in panelThreads threads of all blocks together, in p.columns + 1 rounds.
template <typename D, bool isTall>
__global__ void __launch_bounds__(panelThreads)
    factorPanel(QrPanel<D> p, RowParts parts, PanelLetters<D> letters, D *slices) {
  PanelBlock<D, isTall>(p, parts.rows, letters, slices).run();
}

} // namespace tla::kernels::cuda
