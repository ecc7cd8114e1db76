// The algorithm that a check calls.
#pragma once

#include "runtime/host/check/residuals.hpp"

#include <memory>
#include <vector>

namespace tla::host {

/// Runs Algorithm::checkCall on all ranks, on the run's matrices, copies of what they were before, and one of its own.
class CalledAlgorithm {
public:
  explicit CalledAlgorithm(const CheckArguments &arguments) : problem_(arguments.problem), team_(arguments.team) {}

  /// A rows x columns matrix of T, with memory for what of it this rank has where the run's matrices are.
  template <typename T> StorageRef makeOwn(long rows, long columns) const {
    return make(static_cast<int>(rows), static_cast<int>(columns), sizeof(T), Shape::General, problem_.cut);
  }

  /// `own` is its own matrix, `op` the Op where it takes one. Throws what requireFinished() does. Collective.
  void run(Storage &own, Op op = Op::NoTrans) const;

private:
  /// Makes a matrix with the tiles that `pattern` stores; null: with all.
  StorageRef make(int rows, int columns, std::size_t elementBytes, Shape shape, const Cut &cut,
                  const Storage *pattern = nullptr) const;
  /// Matrix i as it was before the run.
  StorageRef original(int i) const;

  const Problem &problem_;
  Team team_;
};

} // namespace tla::host
