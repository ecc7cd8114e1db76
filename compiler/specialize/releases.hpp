// When a node needs a tile of another node no more.
#pragma once

#include "compiler/specialize/transfers.hpp"

namespace hetc::specialize {

/// Releases of tiles for one argument, or one release clause, of one statement's instances, behind them.
struct ReleaseSet {
  const dependence::StatementModel *statement = nullptr;
  const dependence::AccessModel *access = nullptr; ///< the argument or the clause
  isl::map node; ///< { [S0[k, i] -> A[row, column]] -> [x, y] }: who releases the tile
  isl::map home; ///< a function on the same domain: of an argument, elements whose node is the home are none
};

/// The program's own release clauses: at the tile's home.
std::vector<ReleaseSet> clauseReleases(const dependence::Model &model, const Placement &placement);

/// Of every tile on every node that is not its home: behind the last task that uses it there or for which it is sent
/// from there.
std::vector<ReleaseSet> computeReleases(const dependence::Model &model, const Placement &placement,
                                        const std::vector<TransferSet> &transfers);

} // namespace hetc::specialize
