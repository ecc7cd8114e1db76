// Block cyclic distributions for any number of nodes.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <optional>
#include <string>

namespace tla {

/// The most nodes of such distributions, whose tables have no more than maxFileEntries entries.
inline constexpr int mostGeneralizedNodes = 132;

/// Generalized 2-D block cyclic [O. Beaumont, J.-A. Collin, L. Eyraud-Dubois, M. Verite: Data Distribution Schemes for
/// Dense Linear Algebra Factorizations on Any Number of Nodes, IPDPS 2023], for numbers of nodes that are no product of
/// two near ones. With a = ceil(sqrt(nodes)) and b = ceil(nodes / a) nodes stand in b rows of a, the last row being c =
/// a b - nodes short. Copy i of that, 0 <= i < b - 1, has the nodes of its row i in those places. A period is the b - 1
/// copies below each other, b - 1 times beside each other, and once more their first a - c columns: b (b - 1) rows and
/// `nodes` columns, in which each node has b (b - 1) tiles, a row of tiles at most a nodes and a column at most b.
/// Without c it is blockCyclic(b, a).
///
/// `from`: rows and columns of the period dealt there and back, as by Distribution::reflected(). Named "g2dbc:7",
/// "g2dbc:7,reflected=2:3". `nodes`: 1 .. mostGeneralizedNodes (asserted).
Distribution generalizedBlockCyclic(int nodes, std::optional<Distribution::Round> from = {});

/// The generalized distribution dealt there and back, with rounds that end with the last of so many rows and columns of
/// tiles.
Distribution balancedGeneralized(int nodes, TileCounts tiles);

/// Whether it is another one than a blockCyclic().
bool isGeneralized(int nodes);

} // namespace tla
