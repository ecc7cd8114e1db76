// The Q of a QR factorization, as the algorithm that the check names applies it.
#pragma once

#include "runtime/bootstrap/gather.hpp"
#include "runtime/bootstrap/residuals.hpp"

namespace tla::bootstrap {

/// Algorithm::applyOrthogonal is serial code on whole matrices, so on several ranks the first one gathers them, applies
/// Q, and tells the others.
template <typename T> class OrthogonalFactor {
public:
  using Value = Accumulator<T>;

  /// Collective, as apply() is.
  explicit OrthogonalFactor(const CheckArguments &arguments) : problem_(arguments.problem), team_(arguments.team) {
    if (!team_.ranks.alone())
      gathered_ = gatherMatrices(problem_, team_.ranks);
    if (!team_.ranks.first())
      return;
    for (std::size_t i = 0; i < problem_.matrices.size(); ++i)
      matrices_.push_back(team_.ranks.alone() ? &**problem_.matrices[i].storage : &*gathered_[i]);
  }

  /// op(Q) X on matrices of T in tiles of the problem's size: a few columns at a time, always the same, in parallel.
  Vectors<Value> apply(Op op, Vectors<Value> X) const {
    if (team_.ranks.first())
      applyHere(op, X);
    else
      std::ranges::fill(X.values, Value(0));
    team_.ranks.sum(X.values);
    return X;
  }

private:
  static constexpr int width = 16;

  void applyHere(Op op, Vectors<Value> &X) const {
    const int parts = (X.count + width - 1) / width;
    forEachStep(
        team_.executor, parts,
        [&](const auto &emit) {
          for (int part = 0; part < parts; ++part)
            emit({part, 0, part, part});
        },
        [&](int part, int) { applyTo(op, X, part * width); });
  }

  void applyTo(Op op, Vectors<Value> &X, int first) const {
    const int columns = std::min(width, X.count - first), nb = problem_.nb;
    const StorageRef B(new Storage(static_cast<int>(X.length), columns, nb, nb, sizeof(T), Shape::General));
    B->allocate();
    const auto eachRun = [&](auto &&visit) { // visit(elements in the tile, the same in X, how many)
      for (int c = 0; c < columns; ++c)
        for (int i = 0; i < B->mt(); ++i)
          visit(static_cast<T *>(B->tile(i, c / B->nb())) + static_cast<long>(c % B->nb()) * B->ld(i),
                X.column(first + c) + static_cast<long>(i) * B->mb(), B->tileRows(i));
    };
    eachRun([](T *tile, const Value *x, int rows) {
      for (int r = 0; r < rows; ++r)
        tile[r] = static_cast<T>(x[r]);
    });
    problem_.algorithm->applyOrthogonal(op, {matrices_.data(), problem_.scalars.data()}, *B);
    eachRun([](const T *tile, Value *x, int rows) { std::copy_n(tile, rows, x); });
  }

  const Problem &problem_;
  Team team_;
  std::vector<StorageRef> gathered_;
  std::vector<Storage *> matrices_;
};

} // namespace tla::bootstrap
