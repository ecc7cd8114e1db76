#include "runtime/distribution/distribution.hpp"

#include "runtime/distribution/generalized.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>

namespace tla {

Distribution::Distribution() : Distribution(blockCyclic(1, 1)) {}

Distribution::Distribution(std::vector<int> tableRow, std::vector<int> tableColumn, std::vector<int> table,
                           std::vector<Coordinates> coordinates, std::string name, std::string isl, int disjuncts)
    : rows_(static_cast<int>(tableRow.size())), columns_(static_cast<int>(tableColumn.size())),
      nodes_(static_cast<int>(coordinates.size())), tableRow_(std::move(tableRow)),
      tableColumn_(std::move(tableColumn)),
      tableColumns_(1 + *std::max_element(tableColumn_.begin(), tableColumn_.end())), table_(std::move(table)),
      coordinates_(std::move(coordinates)), extent_{0, 0}, name_(std::move(name)), isl_(std::move(isl)),
      islDisjuncts_(disjuncts) {
  assert(tableRow_.size() <= maxPeriod && tableColumn_.size() <= maxPeriod && table_.size() <= maxPeriod);
  assert(table_.size() == (1 + *std::max_element(tableRow_.begin(), tableRow_.end())) * std::size_t(tableColumns_));
  for (const Coordinates &at : coordinates_)
    extent_ = {std::max(extent_.x, at.x + 1), std::max(extent_.y, at.y + 1)};
  byCoordinates_.assign(extent_.x * std::size_t(extent_.y), -1);
  for (int node = 0; node < nodes_; ++node)
    byCoordinates_[coordinates_[node].x * std::size_t(extent_.y) + coordinates_[node].y] = node;
}

/// How tile rows, or columns, in groups of `together`, are dealt to `nodes` rows, or columns, of nodes.
struct Distribution::Deal {
  int nodes, together;
  bool reflected;
  int missing; ///< the first round is short of so many groups

  int round() const { return reflected ? 2 * nodes : nodes; }
  /// The nodes of the rows or columns of a period.
  std::vector<int> dealt() const {
    assert(double(round()) * together <= double(Distribution::maxPeriod));
    std::vector<int> dealt(round() * together);
    for (int index = 0; index < static_cast<int>(dealt.size()); ++index) {
      const int turn = (index / together + missing) % round();
      dealt[index] = turn < nodes ? turn : round() - 1 - turn;
    }
    return dealt;
  }
  /// In isl's text form, that `node` has the row or column `index`.
  std::string isl(const std::string &index, const std::string &node) const {
    const std::string count = std::to_string(nodes);
    std::string group = together == 1 ? index : "floor(" + index + "/" + std::to_string(together) + ")";
    if (missing)
      group = "(" + group + " + " + std::to_string(missing) + ")";
    if (!reflected)
      return node + " = " + group + " mod " + count;
    if (nodes == 2) // 0 1, 1 0: each time the other one begins
      return node + " = (" + group + " + floor(" + group + "/2)) mod 2";
    // A congruence for each direction: isl has more trouble with quotients than with two cases.
    const std::string round = std::to_string(this->round());
    return "0 <= " + node + " < " + count + " and ((" + group + " - " + node + ") mod " + round + " = 0 or (" + group +
           " + " + node + " + 1) mod " + round + " = 0)";
  }
  int disjuncts() const { return reflected && nodes > 2 ? 2 : 1; }
  /// Each turn of a round for itself.
  Deal parts() const { return {round(), together, false, missing}; }
};

Distribution Distribution::blockCyclic(int P, int Q, int v) { return grid(P, Q, std::nullopt, v); }

Distribution Distribution::reflected(int P, int Q, Round from, int v) { return grid(P, Q, from, v); }

Distribution Distribution::balanced(int P, int Q, TileCounts tiles) {
  const auto missing = [](int count, int round) { return (round - count % round) % round; };
  return reflected(P, Q, {missing(tiles.rows, 2 * P), missing(tiles.columns, 2 * Q)});
}

/// Block cyclic by rows and columns.
Distribution Distribution::dealt(const Deal &rows, const Deal &columns, std::string name) {
  std::vector<Coordinates> coordinates;
  for (int node = 0; node < rows.nodes * columns.nodes; ++node)
    coordinates.push_back({node / columns.nodes, node % columns.nodes});
  return Distribution(
      rows.dealt(), columns.dealt(), allOf(rows.nodes * columns.nodes), std::move(coordinates), std::move(name),
      "{ [I, J] -> [x, y] : I >= 0 and J >= 0 and " + rows.isl("I", "x") + " and " + columns.isl("J", "y") + " }",
      rows.disjuncts() * columns.disjuncts());
}

Distribution Distribution::grid(int P, int Q, std::optional<Round> from, int v) {
  assert(P >= 1 && Q >= 1 && v >= 1);
  // A single row or column of nodes has all, there and back.
  const bool reflectRows = from && P > 1, reflectColumns = from && Q > 1;
  const Deal rows{P, v, reflectRows, reflectRows ? from->row % (2 * P) : 0},
      columns{Q, 1, reflectColumns, reflectColumns ? from->column % (2 * Q) : 0};

  std::string name = "2dbc:" + std::to_string(P) + "x" + std::to_string(Q);
  if (v > 1)
    name += ",v=" + std::to_string(v);
  if (reflectRows || reflectColumns)
    name += ",reflected";
  if (rows.missing || columns.missing)
    name += "=" + std::to_string(rows.missing) + ":" + std::to_string(columns.missing);
  Distribution result = dealt(rows, columns, name);
  if (result.islDisjuncts_ > 1)
    result.setParts(dealt(rows.parts(), columns.parts(), std::move(name)));
  return result;
}

void Distribution::setParts(Distribution parts) {
  assert(parts.rows_ == rows_ && parts.columns_ == columns_);
  nodeOfPart_.assign(parts.nodes_, -1);
  for (int I = 0; I < rows_; ++I)
    for (int J = 0; J < columns_; ++J)
      nodeOfPart_[parts.node(I, J)] = node(I, J);
  parts_ = std::make_shared<const Distribution>(std::move(parts));
}

std::vector<int> Distribution::allOf(int count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Distribution Distribution::table(int rows, int columns, std::vector<int> table, std::string name) {
  std::vector<Coordinates> coordinates;
  for (const int node : std::set<int>(table.begin(), table.end())) {
    assert(node == static_cast<int>(coordinates.size()) && "node numbers without a gap");
    coordinates.push_back({node, 0});
  }

  const std::string period[] = {std::to_string(rows), std::to_string(columns)};
  std::string isl = "{ [I, J] -> [x, y] : I >= 0 and J >= 0 and y = 0 and (";
  for (int I = 0; I < rows; ++I)
    for (int J = 0; J < columns; ++J)
      isl += std::string(I || J ? " or" : "") + " (I mod " + period[0] + " = " + std::to_string(I) + " and J mod " +
             period[1] + " = " + std::to_string(J) + " and x = " + std::to_string(table[I * std::size_t(columns) + J]) +
             ")";
  Distribution result(allOf(rows), allOf(columns), std::move(table), std::move(coordinates), name, isl + " ) }",
                      rows * columns);
  if (rows * columns > 1)
    result.setParts(dealt({rows, 1, false, 0}, {columns, 1, false, 0}, std::move(name)));
  return result;
}

namespace {
/// A relation's text with I / count for I, or J / count for J. All behind the space speaks of tiles.
std::string withQuotient(std::string isl, char index, int count) {
  const std::string quotient = std::string("floor(") + index + "/" + std::to_string(count) + ")";
  for (std::size_t at = isl.find(':') + 1; (at = isl.find(index, at)) != std::string::npos; at += quotient.size())
    isl.replace(at, 1, quotient);
  return isl;
}

/// A grid's relation, its nodes' second coordinates 0 .. extent - 1, for the nodes of a copy.
std::string inCopy(std::string isl, int extent, const std::string &copy) {
  const std::size_t condition = isl.find(':') + 1;
  for (std::size_t at = condition; (at = isl.find('y', at)) != std::string::npos;)
    isl[at] = 'g'; // the coordinate within the grid
  isl.insert(isl.rfind('}'), ") ");
  return isl.insert(condition, " exists (g : y = g + " + std::to_string(extent) + " * (" + copy + ") and ");
}
} // namespace

Distribution Distribution::replica(const Distribution &grid, int copies, int copy, const std::string &name) {
  const int columns = grid.columns_ * copies, distinctRows = 1 + *std::ranges::max_element(grid.tableRow_);
  assert(std::size_t(columns) * distinctRows <= maxPeriod);
  const auto copyOf = [&](int J) { return (J + copy) % copies; };
  std::vector<int> table;
  for (int row = 0; row < distinctRows; ++row)
    for (int J = 0; J < columns; ++J)
      table.push_back(grid.table_[row * std::size_t(grid.tableColumns_) + grid.tableColumn_[J / copies]] +
                      grid.nodes_ * copyOf(J));
  std::vector<Coordinates> coordinates;
  for (int node = 0; node < copies * grid.nodes_; ++node) {
    const Coordinates at = grid.coordinates_[node % grid.nodes_];
    coordinates.push_back({at.x, at.y + grid.extent_.y * (node / grid.nodes_)});
  }
  const std::string isl = inCopy(withQuotient(withQuotient(grid.isl_, 'I', copies), 'J', copies), grid.extent_.y,
                                 "(J + " + std::to_string(copy) + ") mod " + std::to_string(copies));
  std::vector<int> tableRow;
  for (int I = 0; I < grid.rows_ * copies; ++I)
    tableRow.push_back(grid.tableRow_[I / copies]);
  return Distribution(std::move(tableRow), allOf(columns), std::move(table), std::move(coordinates), name, isl,
                      grid.islDisjuncts_);
}

std::string Distribution::islOfReplicas(const Distribution &grid, int copies) {
  // (J / copies + J mod copies) mod copies
  const std::string count = std::to_string(copies);
  return inCopy(withQuotient(withQuotient(grid.isl_, 'I', copies), 'J', copies * copies), grid.extent_.y,
                "(J + floor(J/" + count + ")) mod " + count);
}

std::string Distribution::islOfCopies(int copies) const {
  assert(this->copies() == 1 || this->copies() == copies);
  return this->copies() == 1 ? withQuotient(isl_, 'J', copies) : islOfCopies_;
}

Distribution Distribution::replicated(const Distribution &grid, int copies) {
  assert(copies >= 1 && grid.slices_ == 1 && grid.copies() == 1);
  if (copies == 1)
    return grid;
  const std::string name = grid.name_ + ",copies=" + std::to_string(copies);
  Distribution result = replica(grid, copies, 0, name);
  std::vector<Distribution> further;
  for (int copy = 1; copy < copies; ++copy)
    further.push_back(replica(grid, copies, copy, name));
  result.further_ = std::make_shared<const std::vector<Distribution>>(std::move(further));
  result.islOfCopies_ = islOfReplicas(grid, copies);
  if (grid.parts_) {
    result.parts_ = std::make_shared<const Distribution>(replicated(*grid.parts_, copies));
    for (int copy = 0; copy < copies; ++copy)
      for (const int node : grid.nodeOfPart_)
        result.nodeOfPart_.push_back(node + copy * grid.nodes_);
  }
  return result;
}

std::vector<Distribution::Coordinates> Distribution::partsOf(int node) const {
  std::vector<Coordinates> coordinates;
  for (int part = 0; part < parts().nodes(); ++part)
    if (nodeOfPart(part) == node)
      coordinates.push_back(parts().coordinates(part));
  return coordinates;
}

bool Distribution::operator==(const Distribution &other) const {
  if (rows_ != other.rows_ || columns_ != other.columns_ || slices_ != other.slices_ || copies() != other.copies())
    return false;
  if (tableRow_ == other.tableRow_ && tableColumn_ == other.tableColumn_)
    return table_ == other.table_;
  for (int I = 0; I < rows_; ++I)
    for (int J = 0; J < columns_; ++J)
      if (node(I, J * slices_) != other.node(I, J * slices_))
        return false;
  return true;
}

Distribution Distribution::sliced(int slices) const {
  assert(slices >= 1);
  Distribution result = *this;
  result.slices_ *= slices;
  if (slices == 1)
    return result;
  if (further_) {
    std::vector<Distribution> further;
    for (const Distribution &copy : *further_)
      further.push_back(copy.sliced(slices));
    result.further_ = std::make_shared<const std::vector<Distribution>>(std::move(further));
  }
  result.isl_ = withQuotient(std::move(result.isl_), 'J', slices);
  return result;
}

namespace {
/// All P x Q of this product, the most square first.
std::vector<std::pair<int, int>> grids(int nodes) {
  std::vector<std::pair<int, int>> grids;
  for (int P = 1; P <= nodes; ++P)
    if (nodes % P == 0)
      grids.emplace_back(P, nodes / P);
  std::stable_sort(grids.begin(), grids.end(), [](const auto &a, const auto &b) {
    return std::abs(std::log(double(a.first) / a.second)) < std::abs(std::log(double(b.first) / b.second)) - 1e-9;
  });
  return grids;
}
} // namespace

std::vector<Distribution> candidateDistributions(int nodes, bool symmetric, TileCounts tiles) {
  std::vector<Distribution> candidates;
  if (symmetric && nodes > 1)
    if (std::optional<Distribution> sbc = Distribution::symmetricBlockCyclic(nodes))
      candidates.push_back(std::move(*sbc));
  for (const auto &[P, Q] : grids(nodes)) {
    candidates.push_back(Distribution::blockCyclic(P, Q));
    if (nodes > 1)
      candidates.push_back(Distribution::balanced(P, Q, tiles));
    if (std::max(P, Q) == 2)
      candidates.push_back(Distribution::balanced(P, Q, {std::max(0, tiles.rows - 1), std::max(0, tiles.columns - 1)}));
  }
  if (nodes <= mostGeneralizedNodes && isGeneralized(nodes)) {
    candidates.push_back(generalizedBlockCyclic(nodes));
    candidates.push_back(balancedGeneralized(nodes, tiles));
  }
  return candidates;
}

Distribution squareDistribution(int nodes) {
  const auto [P, Q] = grids(nodes).front();
  return Distribution::blockCyclic(P, Q);
}

} // namespace tla
