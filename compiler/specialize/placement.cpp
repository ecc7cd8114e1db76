#include "compiler/specialize/placement.hpp"

#include "compiler/specialize/node_program.hpp"

namespace hetc::specialize {

Placement::Placement(const dependence::Model &model, const tla::Distribution &ofTiles) : model_(model) {
  const tla::Distribution distribution = ofTiles.sliced(model.program->slices);
  const isl::ctx ctx = model.ctx.get();
  // Tile indices are proved not to be negative; without the constraints relations stay short.
  home_ = isl::map(ctx, distribution.isl()).gist_domain(isl::set(ctx, "{ [I, J] : I >= 0 and J >= 0 }"));
  nodes_ = isl::map(ctx, distribution.isl()).range().coalesce();
  const std::string pair = "[" + nodeX + ", " + nodeY + "]";
  here_ = isl::set(ctx, pair + " -> { " + pair + " }");
  sameX_ = isl::set(ctx, pair + " -> { [" + nodeX + ", y] }");
  sameY_ = isl::set(ctx, pair + " -> { [x, " + nodeY + "] }");
  ownTiles_ = home_.intersect_range(here_).domain();
  for (const dependence::StatementModel &statement : model.statements)
    tasks_.emplace(statement.task->id, statement.place.apply_range(home_).coalesce());
}

isl::map Placement::home(const dependence::MatrixModel &matrix) const {
  return model_.place(*matrix.matrix).apply_range(home_).set_domain_tuple(matrix.name);
}

} // namespace hetc::specialize
