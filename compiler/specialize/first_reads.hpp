// The first task of each node that reads a version of a tile.
#pragma once

#include "compiler/dependence/relations.hpp"
#include "compiler/specialize/placement.hpp"

namespace hetc::specialize {

struct FirstReads {
  isl::union_map written; ///< { S0[k] -> [S1[k, i] -> A[k, k]] }: writer, reader
  isl::union_map initial; ///< { S1[k, i] -> A[k, k] }: of what no task wrote
};
FirstReads computeFirstReads(const dependence::Relations &relations, const Placement &placement);

/// Those of { S0[k] -> X } that no other to the same element follows in program order.
isl::union_map lastOf(const isl::union_map &accesses, const dependence::Model &model);

} // namespace hetc::specialize
