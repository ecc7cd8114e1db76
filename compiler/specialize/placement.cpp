#include "compiler/specialize/placement.hpp"

#include "compiler/dependence/slice_columns.hpp"
#include "compiler/specialize/node_program.hpp"

namespace hetc::specialize {

namespace {
/// Tile indices are proved not to be negative; without the constraints relations stay short.
isl::map homesOf(const tla::Distribution &distribution, isl::ctx ctx) {
  return isl::map(ctx, distribution.isl()).gist_domain(isl::set(ctx, "{ [I, J] : I >= 0 and J >= 0 }"));
}

/// { S0[k, d] -> [row, column] } of tiles from { S0[k, d] -> [row, slice column] }.
isl::map tilesOfSlices(const isl::map &places, int slices) {
  if (slices == 1)
    return places;
  const isl::map cells = dependence::splitSliceColumns(places.set_range_tuple("P"), slices);
  return isl::manage(isl_map_project_out(isl_map_reset_tuple_id(cells.copy(), isl_dim_out), isl_dim_out, 2, 1));
}
} // namespace

Placement::Placement(const dependence::Model &model, const tla::Distribution &ofTiles) : model_(model) {
  const tla::Distribution distribution = ofTiles.sliced(model.program->slices);
  const isl::ctx ctx = model.ctx.get();
  home_ = homesOf(distribution, ctx);
  nodes_ = isl::map(ctx, distribution.isl()).range().coalesce();
  // Parameters in one order everywhere, the program's before the node's: isl 0.25 loses constraints, or takes one
  // parameter for another, when it brings those of a set with divisions into another order.
  const std::string pair = "[" + nodeX + ", " + nodeY + "]";
  const auto withAll = [&](const std::string &set) {
    return isl::manage(isl_set_align_params(isl::set(ctx, pair + " -> { " + set + " }").release(),
                                            isl_set_get_space(model.context.get())));
  };
  here_ = withAll(pair);
  sameX_ = withAll("[" + nodeX + ", y]");
  sameY_ = withAll("[x, " + nodeY + "]");
  ownTiles_ = home_.intersect_range(here_).domain();
  const isl::map homeOfTiles = homesOf(ofTiles, ctx);
  for (const dependence::StatementModel &statement : model.statements) {
    const isl::map tile = tilesOfSlices(statement.place, model.program->slices);
    tasks_.emplace(statement.task->id, tile.apply_range(homeOfTiles).coalesce());
  }
}

isl::map Placement::home(const dependence::MatrixModel &matrix) const {
  return model_.place(*matrix.matrix).apply_range(home_).set_domain_tuple(matrix.name);
}

} // namespace hetc::specialize
