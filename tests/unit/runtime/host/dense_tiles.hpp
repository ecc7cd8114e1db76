// Arguments of algorithms as whole matrices.
#pragma once

#include "tests/unit/runtime/host/dense.hpp"

#include <tla/runtime/algorithm.hpp>
#include <tla/tla.hpp>

#include <utility>

namespace tla::test {

using runtime::Arguments;

/// A(i, j) of the whole matrix, whatever the tiles.
template <typename T> class Elements {
public:
  Elements(const Arguments &arguments, int matrix) : storage_(*arguments.matrices[matrix]) {}
  explicit Elements(const Storage &storage) : storage_(storage) {}
  int m() const { return storage_.m(); }
  int n() const { return storage_.n(); }
  T &operator()(int i, int j) const {
    const int row = i / storage_.mb(), column = j / storage_.nb();
    return static_cast<T *>(
        storage_.tile(row, column))[i % storage_.mb() + static_cast<long>(j % storage_.nb()) * storage_.ld(row)];
  }

private:
  const Storage &storage_;
};

template <typename T> void swapRows(const Elements<T> &A, int i, int p) {
  for (int j = 0; j < A.n(); ++j)
    std::swap(A(i, j), A(p, j));
}

/// Column k of an LU factorization, the rows being in place.
template <typename T> void eliminate(const Elements<T> &A, int k) {
  for (int i = k + 1; i < A.m(); ++i) {
    A(i, k) /= A(k, k);
    for (int j = k + 1; j < A.n(); ++j)
      A(i, j) -= A(i, k) * A(k, j);
  }
}

/// A whole matrix as it is, and back; `counts(i, j)` says which elements are written.
template <typename T> Dense get(const Arguments &arguments, int matrix) {
  const Elements<T> A(arguments, matrix);
  Dense dense(A.m(), A.n());
  for (int i = 0; i < A.m(); ++i)
    for (int j = 0; j < A.n(); ++j)
      if (arguments.matrices[matrix]->shape() == Shape::General || i >= j)
        dense(i, j) = Complex(A(i, j));
  return dense;
}
template <typename T, typename Counts>
void put(const Arguments &arguments, int matrix, const Dense &dense, Counts &&counts) {
  const Elements<T> A(arguments, matrix);
  for (int i = 0; i < std::min(A.m(), dense.m); ++i)
    for (int j = 0; j < A.n(); ++j)
      if (counts(i, j))
        A(i, j) = host::fromComplex<T>(dense(i, j));
}
template <typename T> void put(const Arguments &arguments, int matrix, const Dense &dense) {
  put<T>(arguments, matrix, dense, [](int, int) { return true; });
}
template <typename T> void putTriangle(const Arguments &arguments, int matrix, Uplo uplo, const Dense &dense) {
  put<T>(arguments, matrix, dense, [uplo](int i, int j) { return uplo == Uplo::Lower ? i >= j : i <= j; });
}
template <typename Enum> Enum option(const Arguments &arguments, int scalar) {
  return static_cast<Enum>(arguments.scalars[scalar].integer);
}
inline Complex number(const Arguments &arguments, int scalar) {
  return {arguments.scalars[scalar].real, arguments.scalars[scalar].imag};
}
/// A U^H U or L L^H that has the triangle as its factor.
inline Dense squared(Uplo uplo, const Dense &factor) {
  const Dense adjoint = apply(Op::ConjTrans, factor);
  return uplo == Uplo::Lower ? multiply(factor, adjoint) : multiply(adjoint, factor);
}

} // namespace tla::test
