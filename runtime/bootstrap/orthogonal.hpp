// The Q of a QR factorization, as the algorithm that the check names applies it.
#pragma once

#include "runtime/bootstrap/residuals.hpp"

namespace tla::bootstrap {

/// op(Q) X by Algorithm::applyOrthogonal, on matrices of T in tiles of the problem's size: a few columns at a time,
/// always the same, in parallel.
template <typename T>
Vectors<Accumulator<T>> applyOrthogonal(const CheckArguments &arguments, Op op, Vectors<Accumulator<T>> X) {
  constexpr int width = 16;
  const Problem &problem = arguments.problem;
  std::vector<Storage *> storages;
  for (const ProblemMatrix &matrix : problem.matrices)
    storages.push_back(&**matrix.storage);
  const auto applyTo = [&](int first) {
    const int columns = std::min(width, X.count - first);
    const StorageRef B(
        new Storage(static_cast<int>(X.length), columns, problem.nb, problem.nb, sizeof(T), Shape::General));
    B->allocate();
    const auto eachRun = [&](auto &&visit) { // visit(elements in the tile, the same in X, how many)
      for (int c = 0; c < columns; ++c)
        for (int i = 0; i < B->mt(); ++i)
          visit(static_cast<T *>(B->tile(i, c / B->nb())) + static_cast<long>(c % B->nb()) * B->ld(i),
                X.column(first + c) + static_cast<long>(i) * B->mb(), B->tileRows(i));
    };
    eachRun([](T *tile, const Accumulator<T> *x, int rows) {
      for (int r = 0; r < rows; ++r)
        tile[r] = static_cast<T>(x[r]);
    });
    problem.algorithm->applyOrthogonal(op, {storages.data(), problem.scalars.data()}, *B);
    eachRun([](const T *tile, Accumulator<T> *x, int rows) { std::copy_n(tile, rows, x); });
  };
  const int parts = (X.count + width - 1) / width;
  forEachStep(
      arguments.executor, parts,
      [&](const auto &emit) {
        for (int part = 0; part < parts; ++part)
          emit({part, 0, part, part});
      },
      [&](int part, int) { applyTo(part * width); });
  return X;
}

} // namespace tla::bootstrap
