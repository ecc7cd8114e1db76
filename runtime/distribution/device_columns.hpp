// Which accelerator of a node has which tile columns.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <vector>

namespace tla {

/// A node deals its own tile columns to its places, the host (place 0) and its accelerators (1, 2, ...), one after the
/// other and in proportion to what they can do ([Dongarra14] 6.6: weights 10:8:5 for three unequal GPUs; [Song12] 3.1
/// is the case of equal ones). The node's own columns are counted as they come: those of which the distribution gives
/// it a tile.
///
/// Or equal accelerators stand in a grid of several rows ([Song12] 3.1 names both): each column of the grid is dealt
/// tile columns, and its accelerators the node's own rows of tiles there, one after the other: 2-D block cyclic.
class DeviceColumns {
public:
  /// `weights` by place, not negative, at least one positive; a place of weight 0 gets nothing. `gridRows` >= 1: with
  /// more than one row the accelerators' weights are equal, and their number is a multiple of it (asserted);
  /// accelerator (p, q) of the grid is place 1 + q * gridRows + p.
  DeviceColumns(const std::vector<int> &weights, const Distribution &distribution, int node, int gridRows = 1);

  /// The place of tile (row, column).
  int place(int row, int column) const { return inGroup(order_[turn(column)], row); }
  /// The place of the first column from `column` on, in the order in which columns are dealt, that `may` accepts, of
  /// the same row if there is one; (row, column)'s own when there is none.
  template <typename May> int firstPlace(int row, int column, May &&may) const {
    const std::size_t first = turn(column);
    for (std::size_t next = 0; next < order_.size(); ++next)
      for (int further = 0; further < gridRows_; ++further)
        if (const int place = inGroup(order_[(first + next) % order_.size()], row, further); may(place))
          return place;
    return place(row, column);
  }
  /// The first columns' places, or columns of the grid, up to where they repeat. Whatever the number of columns dealt,
  /// the share of each is less than one column away from its due.
  const std::vector<int> &order() const { return order_; }

private:
  /// Where in the order the column is.
  std::size_t turn(int column) const { return columns_.own(column) % order_.size(); }
  /// The accelerator for a row in a column of the grid, which has numbers from 1 on; 0 is the host.
  int inGroup(int group, int row, int further = 0) const {
    return group == 0 || gridRows_ == 1
               ? group
               : 1 + (group - 1) * gridRows_ + static_cast<int>((rows_.own(row) + further) % gridRows_);
  }

  /// Rows of tiles, or columns: how many of those before are the node's.
  struct Counted {
    std::vector<int> before; // by row, or column, of the distribution's period
    std::size_t perPeriod = 0;
    std::size_t own(int index) const { return index / before.size() * perPeriod + before[index % before.size()]; }
  };
  template <typename IsOwn> static Counted counted(int period, IsOwn &&isOwn);

  std::vector<int> order_;
  int gridRows_;
  Counted columns_, rows_;
};

} // namespace tla
