// Which accelerator of a node has which tile columns.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <vector>

namespace tla {

/// A node deals its own tile columns to its places, the host (place 0) and its accelerators (1, 2, ...), one after the
/// other and in proportion to what they can do ([Dongarra14] 6.6: weights 10:8:5 for three unequal GPUs; [Song12] 3.1
/// is the case of equal ones). The node's own columns are counted as they come: those of which the distribution gives
/// it a tile.
class DeviceColumns {
public:
  /// `weights` by place, not negative, at least one positive; a place of weight 0 gets nothing.
  DeviceColumns(const std::vector<int> &weights, const Distribution &distribution, int node);

  /// The place of tile column `column`.
  int place(int column) const { return order_[turn(column)]; }
  /// The place of the first column from `column` on, in the order in which columns are dealt, that `may` accepts;
  /// `column`'s own when there is none.
  template <typename May> int firstPlace(int column, May &&may) const {
    const std::size_t first = turn(column);
    for (std::size_t next = 0; next < order_.size(); ++next)
      if (const int place = order_[(first + next) % order_.size()]; may(place))
        return place;
    return order_[first];
  }
  /// The first columns' places, up to where they repeat. Whatever the number of columns dealt, the share of each place
  /// is less than one column away from its due.
  const std::vector<int> &order() const { return order_; }

private:
  /// Where in the order the column is.
  std::size_t turn(int column) const {
    const std::size_t round = column / ownBefore_.size(), rest = column % ownBefore_.size();
    return (round * ownPerPeriod_ + ownBefore_[rest]) % order_.size();
  }

  std::vector<int> order_;
  std::vector<int> ownBefore_; // by column of the distribution's period: how many columns before it are the node's
  std::size_t ownPerPeriod_ = 0;
};

} // namespace tla
