// Products of our own; see kernels/recursive/products.hpp.
#pragma once

#include "kernels/recursive/mirror.hpp"
#include "kernels/recursive/products.hpp"
#include "kernels/reference/trmm.hpp"
#include "kernels/reference/trsm.hpp"
#include "kernels/tuned/defaults.hpp"
#include "kernels/tuned/gemm.hpp"
#include "kernels/vectors/isa.hpp"

#include <cassert>

namespace tla::kernels::tuned {

/// The instruction set whose code runs; the tests set it to others that this CPU supports.
inline Isa isaInUse = bestIsa();

/// Gemm::run of the configuration in use.
template <typename T, typename... Arguments> void runGemm(const Arguments &...arguments) {
  switch (isaInUse) {
  case Isa::Avx512:
    return Gemm<T, defaultConfiguration<Isa::Avx512>>::run(arguments...);
  case Isa::Avx2:
    return Gemm<T, defaultConfiguration<Isa::Avx2>>::run(arguments...);
  case Isa::Portable:
    return Gemm<T, defaultConfiguration<Isa::Portable>>::run(arguments...);
  }
}

} // namespace tla::kernels::tuned

namespace tla::kernels::products {

template <typename T> bool likesStrips() { return true; }

template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const int k = opA == Op::NoTrans ? A.n() : A.m();
  if (C.m() == 0 || C.n() == 0)
    return;
  if (alpha == T(0) || k == 0)
    return reference::scal(beta, C);
  tuned::runGemm<T>(opA, opB, alpha, A, B, beta, C);
}

template <typename T>
void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const int k = opA == Op::NoTrans ? A.n() : A.m();
  if (C.n() == 0)
    return;
  if (alpha == T(0) || k == 0)
    return reference::scaleTriangle(uplo, beta, C);
  tuned::runGemm<T>(opA, opB, alpha, A, B, beta, C, uplo);
}

template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  assert((!isComplex<T> || op != Op::ConjTrans) && "syrk takes NoTrans or Trans; herk takes ConjTrans");
  products::gemmt<T>(uplo, op, op == Op::NoTrans ? Op::Trans : Op::NoTrans, alpha, A, A, beta, C);
}

template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  assert((!isComplex<T> || op != Op::Trans) && "herk takes NoTrans or ConjTrans; syrk takes Trans");
  const int k = op == Op::NoTrans ? A.n() : A.m();
  if ((alpha == 0 || k == 0) && beta == 1)
    return;
  products::gemmt<T>(uplo, op, op == Op::NoTrans ? Op::ConjTrans : Op::NoTrans, T(alpha), A, A, T(beta), C);
  reference::clearDiagonalImaginary(C);
}

/// symm for mirror = Trans, hemm for ConjTrans: a copy of A with both triangles filled in, then gemm.
template <typename T>
void multiplyMirrored(Op mirror, Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if (C.m() == 0 || C.n() == 0)
    return;
  if (alpha == T(0))
    return reference::scal(beta, C);
  const reference::Scratch<T> scratch(A.n(), A.n());
  const ConstTile<T> full = scratch.tile();
  recursive::fillMirrored(uplo, mirror, A, scratch.tile());
  products::gemm<T>(Op::NoTrans, Op::NoTrans, alpha, side == Side::Left ? full : B, side == Side::Left ? B : full, beta,
                    C);
}
template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  multiplyMirrored(Op::Trans, side, uplo, alpha, A, B, beta, C);
}
template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  multiplyMirrored(Op::ConjTrans, side, uplo, alpha, A, B, beta, C);
}

template <typename T> void trsmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  vectors::vectorized([&] { reference::trsm(side, uplo, op, diag, alpha, A, B); });
}
template <typename T> void trmmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  vectors::vectorized([&] { reference::trmm(side, uplo, op, diag, alpha, A, B); });
}

template <typename T> void addOuterProduct(T alpha, const T *x, const T *y, Tile<T> A) {
  vectors::vectorized([&] {
    for (int j = 0; j < A.n(); ++j) {
      const T factor = alpha * reference::conjugate(y[j]);
      for (int i = 0; i < A.m(); ++i)
        A(i, j) += factor * x[i];
    }
  });
}
template <typename T> void multiplyAdjoint(ConstTile<T> A, const T *x, T *y) {
  vectors::vectorized([&] {
    for (int j = 0; j < A.n(); ++j) {
      T sum = 0;
      for (int i = 0; i < A.m(); ++i)
        sum += reference::conjugate(A(i, j)) * x[i];
      y[j] = sum;
    }
  });
}

} // namespace tla::kernels::products
