// Tables for nodes of different speeds: each has tiles in proportion to its weight, in the whole matrix and in what is
// left of it.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tla {

inline constexpr int mostWeight = 10000;

/// Nodes stand in columns, each as wide as its nodes have weights together, in which each has rows by its own weight
/// [O. Beaumont, V. Boudet, F. Rastello, Y. Robert: Matrix multiplication on heterogeneous platforms, IEEE Transactions
/// on Parallel and Distributed Systems 12(10), 2001]. With as many columns as nodes it is the one-dimensional dealing
/// of [A. Kalinov, A. Lastovetsky: Heterogeneous distribution of computations solving linear algebra problems on
/// networks of heterogeneous computers, J. Parallel and Distributed Computing 61(4), 2001], with one column that of
/// rows. Columns of tiles, and in each column of nodes rows of tiles, are dealt one by one and not in blocks
/// (dealByWeights), so that what is left of a matrix during a factorization is shared as the whole: of any R x C tiles
/// that stand together a node that has the part x of the columns and y of their rows gets x C y R tiles, give or take
/// 2 (x C + y R) + 4.
///
/// `weights` by node, 1 .. mostWeight. `columns` of nodes; 0: the number for which half the perimeters of the nodes'
/// parts of a square have the least sum, which stands for the words of a product. Named "weighted:1:1:2:4,columns=2".
/// Throws UsageError for more columns than nodes, and for a period of more than maxFileEntries tiles.
Distribution weightedDistribution(const std::vector<int> &weights, int columns);

/// Reads "1:1:2:4" or "1:1:2:4,columns=2". Throws UsageError on a mistake, which names the weight.
Distribution parseWeighted(const std::string &text);

/// The weights and the number of columns of nodes in the name of such a distribution; no weights: it is another one.
struct NodeWeights {
  std::vector<int> weights;
  int columns = 0;
};
NodeWeights weightsOf(const Distribution &distribution);

} // namespace tla
