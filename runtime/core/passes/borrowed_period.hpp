// The period of a run's distribution, for matrices of which nobody has said one.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace tla::runtime {

/// While it lives, the matrices that have no period have the distribution's, where the algorithm asks for it and there
/// is more than one node. On one node nobody writes to them: executors may share what they only read.
class BorrowedPeriod {
public:
  BorrowedPeriod(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution) {
    if (!algorithm.asksPeriod || distribution.nodes() == 1)
      return;
    for (int i = 0; i < algorithm.matrixCount; ++i)
      if (Storage &storage = *arguments.matrices[i]; storage.period() == Period()) {
        storage.setPeriod(distribution.period());
        changed_.push_back(&storage);
      }
  }
  BorrowedPeriod(const BorrowedPeriod &) = delete;
  BorrowedPeriod &operator=(const BorrowedPeriod &) = delete;
  ~BorrowedPeriod() {
    for (Storage *storage : changed_)
      storage->setPeriod({});
  }

private:
  std::vector<Storage *> changed_;
};

} // namespace tla::runtime
