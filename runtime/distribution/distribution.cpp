#include "runtime/distribution/distribution.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

namespace tla {

Distribution::Distribution() : Distribution(blockCyclic(1, 1)) {}

Distribution::Distribution(int rows, int columns, std::vector<int> table, std::vector<Coordinates> coordinates,
                           std::string name, std::string isl, int disjuncts)
    : rows_(rows), columns_(columns), nodes_(static_cast<int>(coordinates.size())), table_(std::move(table)),
      coordinates_(std::move(coordinates)), extent_{0, 0}, name_(std::move(name)), isl_(std::move(isl)),
      islDisjuncts_(disjuncts) {
  assert(rows >= 1 && columns >= 1 && table_.size() == std::size_t(rows) * columns && table_.size() <= maxPeriod);
  for (const Coordinates &at : coordinates_)
    extent_ = {std::max(extent_.x, at.x + 1), std::max(extent_.y, at.y + 1)};
  byCoordinates_.assign(extent_.x * std::size_t(extent_.y), -1);
  for (int node = 0; node < nodes_; ++node)
    byCoordinates_[coordinates_[node].x * std::size_t(extent_.y) + coordinates_[node].y] = node;
}

Distribution Distribution::blockCyclic(int P, int Q, int v) {
  assert(P >= 1 && Q >= 1 && v >= 1 && double(P) * Q * v <= double(maxPeriod));
  std::vector<int> table;
  table.reserve(std::size_t(P) * v * Q);
  for (int I = 0; I < P * v; ++I)
    for (int J = 0; J < Q; ++J)
      table.push_back(I / v * Q + J);
  std::vector<Coordinates> coordinates;
  for (int node = 0; node < P * Q; ++node)
    coordinates.push_back({node / Q, node % Q});

  const std::string p = std::to_string(P), q = std::to_string(Q), rows = std::to_string(v);
  const std::string virtualRow = v == 1 ? "I" : "floor(I/" + rows + ")";
  return Distribution(
      P * v, Q, std::move(table), std::move(coordinates), "2dbc:" + p + "x" + q + (v == 1 ? "" : ",v=" + rows),
      "{ [I, J] -> [x, y] : I >= 0 and J >= 0 and x = " + virtualRow + " mod " + p + " and y = J mod " + q + " }", 1);
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
  return Distribution(rows, columns, std::move(table), std::move(coordinates), std::move(name), isl + " ) }",
                      rows * columns);
}

Distribution Distribution::sliced(int slices) const {
  assert(slices >= 1);
  Distribution result = *this;
  result.slices_ *= slices;
  if (slices == 1)
    return result;
  // All behind the space speaks of tiles.
  const std::size_t space = result.isl_.find(':') + 1;
  const std::string tileColumn = "floor(J/" + std::to_string(slices) + ")";
  for (std::size_t at = space; (at = result.isl_.find('J', at)) != std::string::npos; at += tileColumn.size())
    result.isl_.replace(at, 1, tileColumn);
  return result;
}

std::vector<Distribution> candidateDistributions(int nodes, bool symmetric) {
  std::vector<std::pair<int, int>> grids;
  for (int P = 1; P <= nodes; ++P)
    if (nodes % P == 0)
      grids.emplace_back(P, nodes / P);
  std::stable_sort(grids.begin(), grids.end(), [](const auto &a, const auto &b) {
    return std::abs(std::log(double(a.first) / a.second)) < std::abs(std::log(double(b.first) / b.second)) - 1e-9;
  });

  std::vector<Distribution> candidates;
  if (symmetric && nodes > 1)
    if (std::optional<Distribution> sbc = Distribution::symmetricBlockCyclic(nodes))
      candidates.push_back(std::move(*sbc));
  for (const auto &[P, Q] : grids)
    candidates.push_back(Distribution::blockCyclic(P, Q));
  return candidates;
}

} // namespace tla
