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

/// { S0[k] -> A[k, k] }, those of some `writes` that no other write to the tile follows in program order. The writes as
/// dependence::AccessModel::cells.
isl::union_map lastOf(const isl::union_map &writes, const dependence::Model &model);

} // namespace hetc::specialize
