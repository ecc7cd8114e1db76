#include "runtime/distribution/device_columns.hpp"

#include "runtime/distribution/dealing.hpp"

namespace tla {

DeviceColumns::DeviceColumns(const std::vector<int> &weights, const Distribution &distribution, int node)
    : order_(dealByWeights(weights)) {
  for (int column = 0; column < distribution.columns(); ++column) {
    ownBefore_.push_back(static_cast<int>(ownPerPeriod_));
    bool own = false;
    for (int row = 0; row < distribution.rows() && !own; ++row)
      own = distribution.node(row, column) == node;
    ownPerPeriod_ += own;
  }
}

} // namespace tla
