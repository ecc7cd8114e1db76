// The leaf of the recursions of trsm and trmm for real types: a triangle of up to 16 x 16, in the vector registers.
//
// OpenBLAS runs small triangles at a fraction of its gemm rate. Here a strip of B, as many rows (Right) or columns
// (Left) as a vector has lanes, is held in registers, one vector per unknown, and substitution runs on whole vectors;
// trmm undoes it, in the reverse order. How wide a strip is does not change the bits of an element.
#pragma once

#include "kernels/recursive/transpose.hpp"
#include "kernels/reference/trsm.hpp"

#include <cstring>

namespace tla::kernels::recursive {

inline constexpr int leafSize = 16;

enum class LeafTask { Solve, Multiply };

/// A triangular system in the order of substitution: unknown s needs only unknowns before it. A system of fewer than
/// leafSize unknowns is filled up with zeros, so that every loop has a constant length.
template <typename T> struct LeafSystem {
  int n = 0;
  int position[leafSize] = {};       // the column (Right) or row (Left) of B that holds unknown s
  T diagonal[leafSize] = {};         // its inverse for Solve
  T factor[leafSize][leafSize] = {}; // factor[s][t]: what unknown s contributes to equation t > s
};

template <LeafTask task, typename T> LeafSystem<T> leafSystem(Side side, Uplo uplo, Op op, Diag diag, ConstTile<T> A) {
  LeafSystem<T> system;
  system.n = A.n();
  const reference::Substitution order{A.n(), (side == Side::Left) == reference::isLower(uplo, op)};
  for (int s = 0; s < A.n(); ++s) {
    const int i = order(s);
    system.position[s] = i;
    const T pivot = diag == Diag::Unit ? T(1) : A(i, i);
    system.diagonal[s] = task == LeafTask::Solve ? T(1) / pivot : pivot;
    for (int t = s + 1; t < A.n(); ++t)
      system.factor[s][t] =
          side == Side::Left ? reference::element(op, A, order(t), i) : reference::element(op, A, i, order(t));
  }
  return system;
}

template <typename V, typename T> inline constexpr int lanesOf = sizeof(V) / sizeof(T);

/// Unknown s of a strip of B: part of a column (Right) or of a row (Left).
template <typename V, typename T>
[[gnu::always_inline]] inline void load(Side side, int position, ConstTile<T> B, V &x) {
  if (side == Side::Right && B.m() == lanesOf<V, T>) {
    std::memcpy(&x, &B(0, position), sizeof x);
    return;
  }
  T lane[lanesOf<V, T>] = {};
  for (int r = 0; r < (side == Side::Right ? B.m() : B.n()); ++r)
    lane[r] = side == Side::Right ? B(r, position) : B(position, r);
  std::memcpy(&x, lane, sizeof x);
}

template <typename V, typename T>
[[gnu::always_inline]] inline void store(Side side, int position, const V &x, Tile<T> B) {
  if (side == Side::Right && B.m() == lanesOf<V, T>) {
    std::memcpy(&B(0, position), &x, sizeof x);
    return;
  }
  for (int r = 0; r < (side == Side::Right ? B.m() : B.n()); ++r)
    (side == Side::Right ? B(r, position) : B(position, r)) = x[r];
}

/// Whether a strip is as many whole columns as a vector has lanes, which transposing moves faster than element by
/// element.
template <typename V, typename T> bool isTransposable(Side side, ConstTile<T> B) {
  return side == Side::Left && B.m() == leafSize && B.n() == lanesOf<V, T>;
}

template <typename V, typename T> [[gnu::always_inline]] inline void loadColumns(bool forward, ConstTile<T> B, V *x) {
  constexpr int lanes = lanesOf<V, T>;
  V rows[leafSize];
#pragma GCC unroll 8
  for (int i = 0; i < leafSize; i += lanes) {
#pragma GCC unroll 16
    for (int j = 0; j < lanes; ++j)
      std::memcpy(&rows[i + j], &B(i, j), sizeof rows[0]);
    transposeVectors<T>(rows + i);
  }
#pragma GCC unroll 16
  for (int s = 0; s < leafSize; ++s)
    x[s] = forward ? rows[s] : rows[leafSize - 1 - s];
}

template <typename V, typename T> [[gnu::always_inline]] inline void storeColumns(bool forward, const V *x, Tile<T> B) {
  constexpr int lanes = lanesOf<V, T>;
  V rows[leafSize];
#pragma GCC unroll 16
  for (int s = 0; s < leafSize; ++s)
    rows[s] = forward ? x[s] : x[leafSize - 1 - s];
#pragma GCC unroll 8
  for (int i = 0; i < leafSize; i += lanes) {
    transposeVectors<T>(rows + i);
#pragma GCC unroll 16
    for (int j = 0; j < lanes; ++j)
      std::memcpy(&B(i, j), &rows[i + j], sizeof rows[0]);
  }
}

template <typename V, typename T> [[gnu::always_inline]] inline void substitute(const LeafSystem<T> &system, V *x) {
#pragma GCC unroll 16
  for (int s = 0; s < leafSize; ++s) {
    x[s] *= system.diagonal[s];
#pragma GCC unroll 16
    for (int t = s + 1; t < leafSize; ++t)
      x[t] -= x[s] * system.factor[s][t];
  }
}

template <typename V, typename T> [[gnu::always_inline]] inline void multiply(const LeafSystem<T> &system, V *x) {
#pragma GCC unroll 16
  for (int s = leafSize - 1; s >= 0; --s) {
#pragma GCC unroll 16
    for (int t = s + 1; t < leafSize; ++t)
      x[t] += x[s] * system.factor[s][t];
    x[s] *= system.diagonal[s];
  }
}

template <LeafTask task, typename V, typename T>
[[gnu::always_inline]] inline void computeStrip(Side side, const LeafSystem<T> &system, T alpha, Tile<T> B) {
  V x[leafSize] = {};
  const bool forward = system.position[0] == 0;
  if (isTransposable<V, T>(side, B))
    loadColumns<V, T>(forward, B, x);
  else
#pragma GCC unroll 16
    for (int s = 0; s < leafSize; ++s)
      if (s < system.n)
        load<V, T>(side, system.position[s], B, x[s]);
#pragma GCC unroll 16
  for (int s = 0; s < leafSize; ++s)
    x[s] *= alpha;
  if constexpr (task == LeafTask::Solve)
    substitute(system, x);
  else
    multiply(system, x);
  if (isTransposable<V, T>(side, B))
    return storeColumns<V>(forward, x, B);
#pragma GCC unroll 16
  for (int s = 0; s < leafSize; ++s)
    if (s < system.n)
      store<V>(side, system.position[s], x[s], B);
}

/// The type for an unknown of a strip of rows (Right), several registers where V is a register of 16 bytes: rows are
/// not transposed, and to spread a factor over such a register costs as much as to multiply by it, so several share it,
/// though not all are in registers at the same time.
template <typename T, typename V>
using RowsVector = std::conditional_t<sizeof(V) == 16, typename WideVector<T>::type, V>;

template <LeafTask task, typename V, typename T>
[[gnu::always_inline]] inline void computeLeaf(Side side, const LeafSystem<T> &system, T alpha, Tile<T> B) {
  using Rows = RowsVector<T, V>;
  if (side == Side::Right)
    for (int r = 0; r < B.m(); r += lanesOf<Rows, T>)
      computeStrip<task, Rows>(Side::Right, system, alpha,
                               block(B, r, 0, std::min(lanesOf<Rows, T>, B.m() - r), system.n));
  else
    for (int r = 0; r < B.n(); r += lanesOf<V, T>)
      computeStrip<task, V>(Side::Left, system, alpha, block(B, 0, r, system.n, std::min(lanesOf<V, T>, B.n() - r)));
}

/// trsm (Solve) or trmm (Multiply) for a triangle of at most leafSize x leafSize.
template <LeafTask task, typename T>
void triangleLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  const LeafSystem<T> system = leafSystem<task>(side, uplo, op, diag, A);
  vectors::vectorizedInRegisters<T>(
      [&]<typename V>(std::type_identity<V>) { computeLeaf<task, V>(side, system, alpha, B); });
}

// Compiled in leaves_s.cpp and leaves_d.cpp: as much code as all the rest of a back-end.
extern template void triangleLeaf<LeafTask::Solve, float>(Side, Uplo, Op, Diag, float, ConstTile<float>, Tile<float>);
extern template void triangleLeaf<LeafTask::Multiply, float>(Side, Uplo, Op, Diag, float, ConstTile<float>,
                                                             Tile<float>);
extern template void triangleLeaf<LeafTask::Solve, double>(Side, Uplo, Op, Diag, double, ConstTile<double>,
                                                           Tile<double>);
extern template void triangleLeaf<LeafTask::Multiply, double>(Side, Uplo, Op, Diag, double, ConstTile<double>,
                                                              Tile<double>);

} // namespace tla::kernels::recursive
