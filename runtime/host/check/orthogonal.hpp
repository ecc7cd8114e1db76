// The Q of a QR factorization, as the algorithm that the check names applies it.
#pragma once

#include "runtime/host/check/called.hpp"

namespace tla::host {

/// Runs that algorithm (Algorithm::checkCall) on all ranks: its tasks go to the tiles of the factorization, and
/// to those of vectors that are spread over the ranks as the run's matrices are.
template <typename T> class OrthogonalFactor {
public:
  using Value = Accumulator<T>;
  using Element = typename T::Element;

  explicit OrthogonalFactor(const CheckArguments &arguments) : called_(arguments), team_(arguments.team) {}

  /// op(Q) X, for vectors that are whole on every rank. Collective.
  Vectors<Value> apply(Op op, Vectors<Value> X) const {
    const StorageRef B = called_.makeOwn<Element>(X.length, X.count);
    eachRun(*B, X, [](Element *tile, const Value *x, int rows) {
      for (int r = 0; r < rows; ++r)
        tile[r] = static_cast<Element>(x[r]);
    });
    called_.run(*B, op);
    std::ranges::fill(X.values, Value(0));
    eachRun(*B, X, [](const Element *tile, Value *x, int rows) { std::copy_n(tile, rows, x); });
    team_.ranks.sum(X.values);
    return X;
  }

private:
  /// visit(elements in a tile of this rank, the same in X, how many)
  template <typename Visit> static void eachRun(const Storage &B, Vectors<Value> &X, Visit &&visit) {
    for (int c = 0; c < X.count; ++c)
      for (int i = 0; i < B.mt(); ++i)
        if (auto *const tile = static_cast<Element *>(B.tile(i, c / B.nb())))
          visit(tile + static_cast<long>(c % B.nb()) * B.ld(i), X.column(c) + static_cast<long>(i) * B.mb(),
                B.tileRows(i));
  }

  CalledAlgorithm called_;
  Team team_;
};

} // namespace tla::host
