#include "runtime/distribution/device_columns.hpp"

#include "runtime/distribution/dealing.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

namespace tla {

/// Weights of the host and of each column of the grid.
static std::vector<int> byGridColumn(const std::vector<int> &weights, int gridRows) {
  if (gridRows == 1)
    return weights;
  assert((weights.size() - 1) % gridRows == 0 && "a grid is full");
  assert(std::adjacent_find(weights.begin() + 1, weights.end(), std::not_equal_to<>()) == weights.end() &&
         "accelerators of a grid are equal");
  std::vector<int> groups = {weights[0]};
  for (std::size_t first = 1; first < weights.size(); first += gridRows)
    groups.push_back(gridRows * weights[first]);
  return groups;
}

template <typename IsOwn> DeviceColumns::Counted DeviceColumns::counted(int period, IsOwn &&isOwn) {
  Counted result;
  for (int index = 0; index < period; ++index) {
    result.before.push_back(static_cast<int>(result.perPeriod));
    result.perPeriod += isOwn(index);
  }
  return result;
}

DeviceColumns::DeviceColumns(const std::vector<int> &weights, const Distribution &distribution, int node, int gridRows)
    : order_(dealByWeights(byGridColumn(weights, gridRows))), gridRows_(gridRows) {
  const auto isOwn = [&](int row, int column) { return distribution.node(row, column) == node; };
  const auto any = [](int count, auto &&holds) {
    for (int index = 0; index < count; ++index)
      if (holds(index))
        return true;
    return false;
  };
  columns_ = counted(distribution.columns(),
                     [&](int column) { return any(distribution.rows(), [&](int row) { return isOwn(row, column); }); });
  rows_ = counted(distribution.rows(),
                  [&](int row) { return any(distribution.columns(), [&](int column) { return isOwn(row, column); }); });
}

} // namespace tla
