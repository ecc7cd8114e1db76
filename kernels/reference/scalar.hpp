// The few scalar operations that make one body serve real and complex types.
#pragma once

#include <complex>
#include <tla/tile.hpp>

namespace tla::reference {

template <typename T> T conjugate(T x) {
  if constexpr (isComplex<T>)
    return std::conj(x);
  else
    return x;
}

template <typename T> RealType<T> realPart(T x) {
  if constexpr (isComplex<T>)
    return x.real();
  else
    return x;
}

/// |x|^2.
template <typename T> RealType<T> squaredModulus(T x) {
  if constexpr (isComplex<T>)
    return x.real() * x.real() + x.imag() * x.imag();
  else
    return x * x;
}

/// op(x) of a single element.
template <typename T> T applied(Op op, T x) { return op == Op::ConjTrans ? conjugate(x) : x; }

/// Element (i, j) of op(A).
template <typename T> T element(Op op, ConstTile<T> A, int i, int j) {
  return op == Op::NoTrans ? A(i, j) : applied(op, A(j, i));
}

/// x = beta x, where x is not read when beta is zero (BLAS).
template <typename T, typename Scalar> void scale(T &x, Scalar beta) {
  if (beta == Scalar(0))
    x = T(0);
  else if (beta != Scalar(1))
    x *= beta;
}

} // namespace tla::reference
