// Where a tile is at home, as expressions of the program.
#pragma once

#include "compiler/ir/expr.hpp"
#include "compiler/specialize/placement.hpp"

#include <array>

namespace hetc::specialize {

/// Two coordinates: of a tile, or of a node.
using Pair = std::array<ir::ExprRef, 2>;

class Homes {
public:
  explicit Homes(const Placement &placement);

  /// The coordinates of the node that owns this tile.
  Pair of(const Pair &tile) const;

private:
  Pair home_; ///< home of the tile (I__, J__)
};

} // namespace hetc::specialize
