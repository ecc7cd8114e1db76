// The products that the recursions are made of. Each back-end defines them, for all element types, in a header of its
// own (kernels/openblas/products.hpp, kernels/tuned/products.hpp), and compiles the recursions over them (bodies.hpp).
#pragma once

#include <tla/tile.hpp>

namespace tla::kernels::products {

/// Whether gemm reads small operands where they lie, so that one who uses an operand in several products gains by
/// preparing it, and by working in strips.
template <typename T> bool likesStrips();

// The kernels of these names, fast for blocks of a tile, too.
template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);
template <typename T> void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);
template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C);
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C);
template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);
template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);

// Of complex types.

/// trsm and trmm for a triangle of at most leafSize x leafSize.
template <typename T> void trsmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B);
template <typename T> void trmmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B);
/// A += alpha x y^H for vectors without gaps (BLAS: gerc).
template <typename T> void addOuterProduct(T alpha, const T *x, const T *y, Tile<T> A);
/// y = A^H x (BLAS: gemv).
template <typename T> void multiplyAdjoint(ConstTile<T> A, const T *x, T *y);

} // namespace tla::kernels::products
