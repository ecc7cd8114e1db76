// Which rank has which tiles.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// This rank and its tiles: of every matrix those that the distribution gives it.
struct Placement {
  Distribution distribution; ///< one node
  int rank = 0;

  /// Whether this rank owns the matrix's tile.
  bool owns(const Storage &storage, int i, int j) const { return distribution.node(i, j, storage.byRows()) == rank; }
  bool ownsAll() const { return distribution.nodes() == 1; }
};

/// Throws UsageError for a distribution of another number of nodes, with one that would fit.
void requireFit(const Distribution &distribution, int ranks);

/// Throws UsageError for more than one node where the program deals its updates to the elements of one.
void requireOneNode(int nodes, const runtime::Algorithm &algorithm);

/// Throws UsageError for a distribution in copies that the program was not compiled for.
void requireCopies(const Distribution &distribution, const runtime::Algorithm &algorithm);

} // namespace tla::host
