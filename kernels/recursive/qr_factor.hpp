// QR of a block of columns with its triangular factor, recursively (Elmroth & Gustavson, Applying recursion to serial
// and parallel QR factorization leads to better performance, IBM J. Res. Dev. 44, 2000; LAPACK: geqrt3).
//
// Notation: reflector j is I - tau_j v_j v_j^H; the product of all, from the first to the last, is Q = I - V W V^H, the
// columns of V being the vectors v_j and W the upper triangular factor (LAPACK's T). Of two columns it is
//
//   W = ( tau_0   -tau_0 g tau_1 )    with g = v_0^H v_1,
//       ( 0        tau_1         )
//
// which joinByProducts() does for two blocks of columns. Where the vectors lie (QrColumns), for n = 2 columns; r is
// R's:
//
//   oneTile (geqrt)          else (tsqrt)
//   r    r    | top, n x n   r    r    | top has R only; v_j's rows of it are e_j, so that those of two vectors are
//   v_0  r    |              .    r    | orthogonal, and V^H (C1; C2) = C1 + rest^H C2
//   v_0  v_1  | rest         v_0  v_1  | rest, a tile of its own
//   v_0  v_1  |              v_0  v_1  |
//
// v_j's first element, a one on the diagonal, is not stored. The recursion on 12 columns: 8 (a leaf), applied to the
// other 4, these (a leaf), and the 8 x 4 block of W that joins both.
#pragma once

#include "kernels/recursive/block_reflector.hpp"
#include "kernels/recursive/parts.hpp"
#include "kernels/recursive/qr_leaf.hpp"

namespace tla::kernels::recursive {

/// The columns [j, j + n) of a tile with at least j + n rows, from row j on.
template <typename T> QrColumns<T> qrColumns(Tile<T> A, int j, int n) {
  return {block(A, j, j, n, n), block(A, j + n, j, A.m() - j - n, n), true};
}

/// Tall products are cut into so many rows, always: their last bits must not depend on who computes them.
inline constexpr int rowsOfPart = 1024;
constexpr int partsOf(int rows) { return (rows + rowsOfPart - 1) / rowsOfPart; }

/// W += A^H B for tall A and B.
template <typename T> void addInnerProductsAlone(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  constexpr int narrow = 16;
  if constexpr (!isComplex<T>)
    if (A.n() <= narrow && B.n() <= narrow)
      return addProductsHere<T>(A, B, W);
  products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), A, B, T(1), W);
}

/// Adds A^H B to W with others' help: the sum of the sums of all parts.
template <typename T> void addInnerProducts(Crew *crew, ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  const int parts = partsOf(A.m());
  if (parts < 2)
    return addInnerProductsAlone(A, B, W);
  const Scratch<T> sums(W.m(), W.n() * parts);
  const auto sumOf = [&](int part) { return block(sums.tile(), 0, part * W.n(), W.m(), W.n()); };
  inParts(crew, parts, [&](int part) {
    const int begin = partBegin(A.m(), parts, part), rows = partBegin(A.m(), parts, part + 1) - begin;
    reference::scal(T(0), sumOf(part));
    addInnerProductsAlone<T>(block(A, begin, 0, rows, A.n()), block(B, begin, 0, rows, B.n()), sumOf(part));
  });
  for (int part = 0; part < parts; ++part)
    for (int j = 0; j < W.n(); ++j)
      for (int i = 0; i < W.m(); ++i)
        W(i, j) += sumOf(part)(i, j);
}

/// C -= A B for tall A, with others' help.
template <typename T> void subtractTallProduct(Crew *crew, ConstTile<T> A, ConstTile<T> B, Tile<T> C) {
  const int parts = std::max(1, partsOf(A.m()));
  inParts(crew, parts, [&](int part) {
    const int begin = partBegin(A.m(), parts, part), rows = partBegin(A.m(), parts, part + 1) - begin;
    products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), block(A, begin, 0, rows, A.n()), B, T(1),
                      block(C, begin, 0, rows, C.n()));
  });
}

/// reference::larfg for complex types, by the sum of squares where that is safe.
template <typename T> T makeReflector(T &alpha, int n, T *x) {
  using Real = RealType<T>;
  const Tile<Real> parts(reinterpret_cast<Real *>(x), 2 * n, 1, 2 * n + 1);
  Real squares = 0;
  addProductsHere<Real>(parts, parts, {&squares, 1, 1, 1});
  const Real all = squares + std::norm(alpha), beta = -std::copysign(std::sqrt(all), alpha.real());
  if (!isSafe(squares, all))
    return reference::larfg(alpha, n, x);
  const T tau = (beta - alpha) / beta, scale = T(1) / (alpha - beta);
  for (int i = 0; i < n; ++i)
    x[i] *= scale;
  alpha = beta;
  return tau;
}

/// Column by column with the BLAS: complex types (LAPACK: geqr2).
template <typename T> void factorLeafByBlas(QrColumns<T> A, T *tau) {
  for (int j = 0; j < A.n(); ++j) {
    const int others = A.n() - j - 1;
    const Tile<T> x = A.below(j + 1, j, 1), C = A.below(j + 1, j + 1, others);
    tau[j] = makeReflector(A.top(j, j), x.m(), x.data());
    if (others == 0)
      continue;
    T w[qrLeaf] = {}; // tau times the adjoint of v^H (row j; C)
    if (x.m() > 0)
      products::multiplyAdjoint(C, x.data(), w);
    for (int c = 0; c < others; ++c) {
      T &top = A.top(j, j + 1 + c);
      w[c] = tau[j] * (w[c] + reference::conjugate(top));
      top -= reference::conjugate(w[c]);
    }
    if (x.m() > 0)
      products::addOuterProduct(T(-1), x.data(), w, C);
  }
}

/// G(i, j) = v_i^H v_j for i < j (what else G gets means nothing): the products over the rows of `rest`, and, where the
/// vectors reach into `top`, those over rows j to n - 1 of it; above, v_j is zero, and in row j it is one.
template <typename T> void vectorProducts(const QrColumns<T> &V, Tile<T> G) {
  reference::scal(T(0), G);
  addInnerProducts<T>(nullptr, V.rest, V.rest, G);
  for (int j = 1; V.oneTile && j < V.n(); ++j)
    for (int i = 0; i < j; ++i) {
      T sum = reference::conjugate(V.top(j, i));
      for (int r = j + 1; r < V.n(); ++r)
        sum += reference::conjugate(V.top(r, i)) * V.top(r, j);
      G(i, j) += sum;
    }
}

/// Does the same as factorColumns() for at most qrLeaf columns, without recursion. Complex types: all columns first,
/// then W column by column from the products of the vectors.
template <typename T> void factorLeaf(QrColumns<T> A, Tile<T> W) {
  if constexpr (!isComplex<T>) {
    factorRealLeafHere(A, W);
  } else {
    T tau[qrLeaf], data[qrLeaf * qrLeaf];
    factorLeafByBlas(A, tau);
    const Tile<T> G(data, A.n(), A.n(), qrLeaf);
    vectorProducts(A, G);
    for (int j = 0; j < A.n(); ++j)
      appendToFactor(j, tau[j], &G(0, j), W);
  }
}

/// F = op(W) P for the upper triangular factor W, by blocks of rows, without most of the products with zeros.
template <typename T> void multiplyByFactor(Op op, ConstTile<T> W, ConstTile<T> P, Tile<T> F) {
  constexpr int rows = 64;
  const int k = W.n();
  const Scratch<T> copy(k, k);
  const Tile<T> U = copy.tile();
  copyUpper<T>(W, U);
  for (int i = 0; i < k; i += rows) {
    const int m = std::min(rows, k - i), begin = op == Op::NoTrans ? i : 0, end = op == Op::NoTrans ? k : i + m;
    products::gemm<T>(op, Op::NoTrans, T(1), block<T>(op, U, i, begin, m, end - begin),
                      block(P, begin, 0, end - begin, P.n()), T(0), block(F, i, 0, m, P.n()));
  }
}

/// C = op(I - V W V^H) C for the vectors of V. C1 is the rows of V.top, C2 what is below.
template <typename T>
void applyReflectors(const CrewScope &crew, Op op, const QrColumns<T> &V, ConstTile<T> W, Tile<T> C1, Tile<T> C2) {
  const int k = V.n(), n = C1.n();
  const Scratch<T> products(k, n), factored(k, n), lower(V.oneTile ? k : 0, k);
  const Tile<T> P = products.tile(), F = factored.tile(), L = lower.tile();
  if (V.oneTile) {
    recursive::copyUnitLower<T>(V.top, L);
    products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), L, C1, T(0), P);
  } else {
    reference::copyTile<T>(C1, P);
  }
  addInnerProducts<T>(crew.crew(), V.rest, C2, P);
  multiplyByFactor<T>(op, W, P, F);
  subtractTallProduct<T>(crew.crew(), V.rest, F, C2);
  if (V.oneTile)
    products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), L, F, T(1), C1);
  else
    subtract<T>(F, C1);
}

/// W12 = -W11 G12 W22 for G12 = V1^H V2: joins the factors W11 and W22 (zeros below their diagonals) of the vectors V1
/// and V2.
template <typename T> void joinByProducts(ConstTile<T> W11, ConstTile<T> G12, ConstTile<T> W22, Tile<T> W12) {
  const Scratch<T> half(W12.m(), W12.n());
  products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), W11, G12, T(0), half.tile());
  products::gemm<T>(Op::NoTrans, Op::NoTrans, T(1), half.tile(), W22, T(0), W12);
}

/// Completes W, whose diagonal blocks are the factors of the first h vectors and of the others: G = V1^H V2, where V2
/// is zero in the first h rows of the top; then W12 of joinByProducts(), and zeros below.
template <typename T> void joinFactors(const CrewScope &crew, const QrColumns<T> &V, int h, Tile<T> W) {
  const int n2 = V.n() - h;
  const Scratch<T> products(h, n2), lower(V.oneTile ? n2 : 0, n2);
  const Tile<T> G = products.tile(), L = lower.tile();
  if (V.oneTile) {
    recursive::copyUnitLower<T>(block(V.top, h, h, n2, n2), L);
    products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), block(V.top, h, 0, n2, h), L, T(0), G);
  } else {
    reference::scal(T(0), G);
  }
  addInnerProducts<T>(crew.crew(), block(V.rest, 0, 0, V.rest.m(), h), block(V.rest, 0, h, V.rest.m(), n2), G);
  joinByProducts<T>(block(W, 0, 0, h, h), G, block(W, h, h, n2, n2), block(W, 0, h, h, n2));
  reference::scal(T(0), block(W, h, 0, n2, h));
}

/// How many of n columns come first when they are cut in two; n where they are a leaf. Above qrLeaf = 8 about half, a
/// multiple of 8: 12 -> 8, 32 -> 16; up to 8 the largest power of two: 7 -> 4 (then 3 -> 2), 8 -> 8.
constexpr int qrCut(int n) {
  if (n > qrLeaf)
    return cut(n, qrLeaf);
  int power = 1;
  while (2 * power <= n)
    power *= 2;
  return power;
}

/// QR of the columns; W (n x n) becomes the factor of all their reflectors, tau on its diagonal, zeros below it.
/// Factors the first h columns, applies Q1^H to the others, factors what of these is below row h, and joins the two
/// factors.
template <typename T> void factorColumns(const CrewScope &crew, QrColumns<T> A, Tile<T> W) {
  const int n = A.n();
  if (n == 0)
    return;
  const int h = qrCut(n);
  if (h == n)
    return factorLeaf(A, W);
  factorColumns(crew, A.first(h), block(W, 0, 0, h, h));
  applyReflectors<T>(crew, Op::ConjTrans, A.first(h), block(W, 0, 0, h, h), block(A.top, 0, h, h, n - h),
                     A.below(h, h, n - h));
  factorColumns(crew, A.from(h), block(W, h, h, n - h, n - h));
  joinFactors(crew, A, h, W);
}

} // namespace tla::kernels::recursive
