// Kernels that change between one triangle of a Hermitian tile and all of it.
#pragma once
#include <tla/tla.hpp>

#include <complex>

/// B = A, of which one triangle is stored, written out.
#pragma tla kernel requires(A.m() == A.n(), B.m() == A.m(), B.n() == A.n()) bound(memory)
template <typename T> void wholeHermitian(tla::ConstTile<T> A, tla::OutTile<T> B) {
  const auto conjugate = [](T x) {
    if constexpr (tla::isComplex<T>)
      return std::conj(x);
    else
      return x;
  };
  for (int j = 0; j < A.n(); ++j) {
    B(j, j) = std::real(A(j, j));
    for (int i = j + 1; i < A.m(); ++i) {
      B(i, j) = A(i, j);
      B(j, i) = conjugate(A(i, j));
    }
  }
}

/// The lower triangle of B = that of A, with a real diagonal.
#pragma tla kernel requires(A.m() == A.n(), B.m() == A.m(), B.n() == A.n()) bound(memory)
template <typename T> void lowerHermitian(tla::ConstTile<T> A, tla::Tile<T> B) {
  for (int j = 0; j < A.n(); ++j) {
    B(j, j) = std::real(A(j, j));
    for (int i = j + 1; i < A.m(); ++i)
      B(i, j) = A(i, j);
  }
}
