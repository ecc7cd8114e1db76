// Elements in high precision, to check kernels against their definitions.
#pragma once

#include "tests/unit/kernels/samples.hpp"

namespace tla::test {

using Wide = std::complex<long double>;

template <typename T> Wide widen(T x) {
  if constexpr (isComplex<T>)
    return Wide(x.real(), x.imag());
  else
    return Wide(x);
}

/// op(A)(i, j) in high precision.
template <typename T> Wide opElement(Op op, Sample<T> &A, int i, int j) {
  const Wide x = widen(op == Op::NoTrans ? A(i, j) : A(j, i));
  return op == Op::ConjTrans ? std::conj(x) : x;
}

/// An element of op(A) for a triangle A: elements that are not stored count as 0 and a unit diagonal as 1.
template <typename T> Wide triangleElement(Uplo uplo, Op op, Diag diag, Sample<T> &A, int i, int j) {
  const int row = op == Op::NoTrans ? i : j, column = op == Op::NoTrans ? j : i;
  if (row == column && diag == Diag::Unit)
    return 1;
  if (uplo == Uplo::Lower ? row < column : row > column)
    return 0;
  return opElement(op, A, i, j);
}

} // namespace tla::test
