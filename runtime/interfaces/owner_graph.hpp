// What goes from tile to tile in a program, whoever owns them: a hypergraph, of which a distribution is a partition.
//
// A version of a tile goes from where it was made to each node whose tasks read it, once, and the last one home
// (core/passes/protocol.hpp). So a version costs its bytes times the owners of the tiles that make, read and keep it,
// less one: the connectivity of an edge [U. V. Catalyurek, C. Aykanat: Hypergraph-partitioning-based decomposition for
// parallel sparse-matrix vector multiplication, IEEE Transactions on Parallel and Distributed Systems 10(7), 1999].
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace tla::runtime {

struct OwnerGraph {
  struct Edge {
    std::vector<int> tiles; ///< two or more, ascending
    double bytes;           ///< bytes of all versions that these tiles make, read and keep
  };

  int rows = 0, columns = 0;
  std::vector<double> flops; ///< flops of the tasks of a tile's owner, for each tile
  std::vector<Edge> edges;   ///< no two of the same tiles
};

/// The graph of the tiles of a period; a tile's number in it is row * columns + column. It is exact except for tiles
/// with regions, whose halves go together where both come from one node. The storages need no memory for their tiles; a
/// loop that an element may end runs to its end. Throws as predictCost().
OwnerGraph ownerGraph(const Algorithm &algorithm, const Arguments &arguments, int rows, int columns);

} // namespace tla::runtime
