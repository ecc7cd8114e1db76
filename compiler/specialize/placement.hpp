// Where tiles live and tasks run, as isl relations. Nodes are pairs [x, y] of coordinates.
#pragma once

#include "compiler/dependence/model.hpp"
#include "runtime/distribution/distribution.hpp"

namespace hetc::specialize {

class Placement {
public:
  Placement(const dependence::Model &model, const tla::Distribution &distribution);

  /// { [x, y] : there is such a node }.
  const isl::set &nodes() const { return nodes_; }
  /// { [I, J] -> [x, y] }, of places (dependence::Model::place).
  const isl::map &home() const { return home_; }
  /// { A[i, j] -> [x, y] } of a matrix' tiles.
  isl::map home(const dependence::MatrixModel &matrix) const;
  /// { S0[k, i] -> [x, y] }, on the statement's domain.
  const isl::map &node(unsigned task) const { return tasks_.at(task); }

  /// [x__, y__] -> { [x__, y__] }: this node.
  const isl::set &here() const { return here_; }
  /// [x__, y__] -> { [I, J] }: the places of tiles that are at home here.
  const isl::set &ownTiles() const { return ownTiles_; }
  /// [x__, y__] -> { [x, y] }: the nodes with the same first, or second, coordinate as this one.
  const isl::set &sameX() const { return sameX_; }
  const isl::set &sameY() const { return sameY_; }

private:
  const dependence::Model &model_;
  isl::map home_; ///< { [i, j] -> [x, y] }
  isl::set nodes_, here_, ownTiles_, sameX_, sameY_;
  std::map<unsigned, isl::map> tasks_;
};

} // namespace hetc::specialize
