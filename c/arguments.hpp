// A C caller's arrays and numbers as the arguments of an algorithm.
#pragma once

#include "c/include/hetc.h"

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace hetc {

/// The scalars of a run; with none given, all defaults. Throws tla::UsageError for another count, and for a parameter
/// without default that was not given.
std::vector<tla::runtime::ScalarValue> scalarsOf(const tla::runtime::Algorithm &algorithm, const hetc_scalar *scalars,
                                                 int count);

/// Windows on the caller's arrays in tiles of one size, and the workspaces of a run.
class Matrices {
public:
  /// tile = 0: one that suits. Throws tla::UsageError when the matrices cannot be the algorithm's, std::bad_alloc when
  /// there is no memory for workspaces.
  Matrices(const tla::runtime::Algorithm &algorithm, const hetc_matrix *matrices, int count,
           const std::vector<tla::runtime::ScalarValue> &scalars, int tile, int threads);

  int tile() const { return tile_; }
  tla::Storage *const *storages() const { return storages_.data(); }

private:
  void wrap(const hetc_matrix *matrices, int tile);
  void addWorkspaces(const tla::runtime::Values &values);

  const tla::runtime::Algorithm &algorithm_;
  int tile_;
  std::vector<tla::StorageRef> owned_;
  std::vector<tla::Storage *> storages_; ///< in the algorithm's order
};

} // namespace hetc
