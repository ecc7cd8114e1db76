#include "runtime/distribution/generalized.hpp"

#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

namespace tla {

namespace {

/// b rows of a places for the nodes, the last one `missing` short.
struct Places {
  int a, b, missing;
};

Places placesFor(int nodes) {
  int a = 1;
  while (a * a < nodes)
    ++a;
  const int b = (nodes + a - 1) / a;
  return {a, b, a * b - nodes};
}

struct Table {
  int rows, columns;
  std::vector<int> nodes; ///< row by row

  int at(int row, int column) const { return nodes[row * std::size_t(columns) + column]; }
};

/// The node at `row` and `column` of copy `copy`: places that the last row does not have are those of row `copy`.
int nodeOf(const Places &places, int copy, int row, int column) {
  const bool isMissing = row == places.b - 1 && column >= places.a - places.missing;
  return (isMissing ? copy : row) * places.a + column;
}

Table periodFor(int nodes) {
  const Places places = placesFor(nodes);
  Table table{places.b * (places.b - 1), nodes, {}};
  for (int row = 0; row < table.rows; ++row)
    for (int column = 0; column < table.columns; ++column)
      table.nodes.push_back(nodeOf(places, row / places.b, row % places.b, column % places.a));
  return table;
}

/// The one of `count` things at an index, when they are dealt there and back, the first round being `missing` short.
int thereAndBack(int index, int count, int missing) {
  const int turn = (index + missing) % (2 * count);
  return turn < count ? turn : 2 * count - 1 - turn;
}

Table reflected(const Table &table, Distribution::Round from) {
  Table both{2 * table.rows, 2 * table.columns, {}};
  for (int row = 0; row < both.rows; ++row)
    for (int column = 0; column < both.columns; ++column)
      both.nodes.push_back(
          table.at(thereAndBack(row, table.rows, from.row), thereAndBack(column, table.columns, from.column)));
  return both;
}

} // namespace

bool isGeneralized(int nodes) { return placesFor(nodes).missing > 0; }

Distribution generalizedBlockCyclic(int nodes, std::optional<Distribution::Round> from) {
  assert(nodes >= 1 && nodes <= mostGeneralizedNodes);
  const Places places = placesFor(nodes);
  if (places.missing == 0)
    return from ? Distribution::reflected(places.b, places.a, *from) : Distribution::blockCyclic(places.b, places.a);
  Table table = periodFor(nodes);
  std::string name = "g2dbc:" + std::to_string(nodes);
  if (from) {
    *from = {from->row % (2 * table.rows), from->column % (2 * table.columns)};
    name += ",reflected";
    if (from->row || from->column)
      name += "=" + std::to_string(from->row) + ":" + std::to_string(from->column);
    table = reflected(table, *from);
  }
  return Distribution::table(table.rows, table.columns, std::move(table.nodes), std::move(name));
}

Distribution balancedGeneralized(int nodes, TileCounts tiles) {
  const Places places = placesFor(nodes);
  const auto missing = [](int count, int round) { return (round - count % round) % round; };
  if (places.missing == 0)
    return Distribution::balanced(places.b, places.a, tiles);
  return generalizedBlockCyclic(nodes, Distribution::Round{missing(tiles.rows, 2 * places.b * (places.b - 1)),
                                                           missing(tiles.columns, 2 * nodes)});
}

} // namespace tla
