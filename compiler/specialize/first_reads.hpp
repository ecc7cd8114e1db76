// The first task of each node that reads a version of a tile.
#pragma once

#include "compiler/dependence/relations.hpp"
#include "compiler/specialize/placement.hpp"

namespace hetc::specialize {

struct FirstReads {
  isl::union_map written; ///< { S0[k] -> [S1[k, i] -> A[k, k]] }: writer, reader
  isl::union_map initial; ///< { S1[k, i] -> A[k, k] }: of what no task wrote
};
FirstReads computeFirstReads(const dependence::Model &model, const Placement &placement);

/// { S0[k] -> A[k, k] }: writes that no other follows.
isl::union_map computeLastWrites(const dependence::Model &model);

} // namespace hetc::specialize
