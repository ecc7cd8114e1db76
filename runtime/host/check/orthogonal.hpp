// The Q of a QR factorization, as the algorithm that the check names applies it.
#pragma once

#include "runtime/host/check/residuals.hpp"

namespace tla::host {

/// Runs that algorithm (Algorithm::applyOrthogonal) on all ranks: its tasks go to the tiles of the factorization, and
/// to those of vectors that are spread over the ranks as the run's matrices are.
template <typename T> class OrthogonalFactor {
public:
  using Value = Accumulator<T>;

  explicit OrthogonalFactor(const CheckArguments &arguments) : problem_(arguments.problem), team_(arguments.team) {}

  /// op(Q) X, for vectors that are whole on every rank. Collective.
  Vectors<Value> apply(Op op, Vectors<Value> X) const {
    const int nb = problem_.nb;
    const StorageRef B(
        new Storage(static_cast<int>(X.length), X.count, nb, nb, sizeof(T), Shape::General, problem_.cut));
    B->setPeriod(problem_.values.period);
    B->allocate([this](int i, int j) { return problem_.placement.owns(i, j); });
    eachRun(*B, X, [](T *tile, const Value *x, int rows) {
      for (int r = 0; r < rows; ++r)
        tile[r] = static_cast<T>(x[r]);
    });
    run(op, *B);
    std::ranges::fill(X.values, Value(0));
    eachRun(*B, X, [](const T *tile, Value *x, int rows) { std::copy_n(tile, rows, x); });
    team_.ranks.sum(X.values);
    return X;
  }

private:
  /// visit(elements in a tile of this rank, the same in X, how many)
  template <typename Visit> static void eachRun(const Storage &B, Vectors<Value> &X, Visit &&visit) {
    for (int c = 0; c < X.count; ++c)
      for (int i = 0; i < B.mt(); ++i)
        if (auto *const tile = static_cast<T *>(B.tile(i, c / B.nb())))
          visit(tile + static_cast<long>(c % B.nb()) * B.ld(i), X.column(c) + static_cast<long>(i) * B.mb(),
                B.tileRows(i));
  }

  void run(Op op, Storage &B) const {
    const runtime::OrthogonalApplication &call = problem_.algorithm->applyOrthogonal;
    std::vector<Storage *> matrices;
    for (int i = 0; i < call.matrixCount; ++i)
      matrices.push_back(call.matrices[i] < 0 ? &B : &**problem_.matrices[call.matrices[i]].storage);
    std::vector<runtime::ScalarValue> scalars;
    for (int i = 0; i < call.scalarCount; ++i)
      scalars.push_back(call.scalars[i] < 0 ? runtime::ScalarValue{static_cast<long>(op), 0, 0}
                                            : problem_.scalars[call.scalars[i]]);
    const runtime::Arguments arguments{matrices.data(), scalars.data()};
    requireFinished(team_.everybody.run([&](runtime::Generator &generator) { call.generate(generator, arguments); }));
  }

  const Problem &problem_;
  Team team_;
};

} // namespace tla::host
