// Which messages there are: for all nodes at once, as isl relations.
#pragma once

#include "compiler/dependence/relations.hpp"
#include "compiler/specialize/placement.hpp"

#include <optional>
#include <vector>

namespace hetc::specialize {

/// A condition on a transfer besides membership: cheaper to test in the loops than in the relations, where an
/// inequality of nodes would cut each in four.
enum class Condition {
  None,
  Away,  ///< the destination is not the tile's home
  AtHome ///< the destination is the tile's home
};

/// Transfers of tiles for one argument of one statement's instances, at their places in program order. Nodes are named
/// by tiles that they own, which are affine functions where coordinates are remainders. Elements whose source and
/// destination are one node are none.
struct TransferSet {
  const dependence::StatementModel *statement = nullptr; ///< the reader, or the writer of what returns home
  const dependence::AccessModel *access = nullptr;       ///< the argument
  ir::Region region = ir::Region::Full;
  bool returns = false; ///< goes home after the task; else comes before it
  Condition condition = Condition::None;
  isl::map source, destination;    ///< { [S0[k, i] -> A[row, column]] -> [I, J] }, functions on the same domain
  std::optional<isl::map> version; ///< { [S0[k, i] -> A[row, column]] -> [time] }: when it is written, if asked for
};

enum class Versions { Ignored, Told };

/// The time of what is there before the run is -1, -1, ...
std::vector<TransferSet> computeTransfers(const dependence::Relations &relations, const Placement &placement,
                                          Versions versions = Versions::Ignored);

} // namespace hetc::specialize
