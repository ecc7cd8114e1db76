#include "compiler/specialize/placement.hpp"

#include "compiler/dependence/slice_columns.hpp"
#include "compiler/specialize/node_program.hpp"

namespace hetc::specialize {

namespace {
/// Tile indices are proved not to be negative; without the constraints relations stay short.
isl::map gistOf(const isl::map &homes) {
  return homes.gist_domain(isl::set(homes.ctx(), "{ [I, J] : I >= 0 and J >= 0 }"));
}

isl::map homesOf(const tla::Distribution &distribution, const ir::Program &program, isl::ctx ctx) {
  return isl::map(ctx, program.copies > 1 ? distribution.islOfCopies(program.copies) : distribution.isl());
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
  const isl::map homes = homesOf(distribution, *model.program, ctx);
  home_ = gistOf(homes);
  nodes_ = homes.range().coalesce();
  const std::string pair = "[" + nodeX + ", " + nodeY + "]";
  here_ = isl::set(ctx, pair + " -> { " + pair + " }");
  sameX_ = isl::set(ctx, pair + " -> { [" + nodeX + ", y] }");
  sameY_ = isl::set(ctx, pair + " -> { [x, " + nodeY + "] }");
  ownTiles_ = home_.intersect_range(here_).domain();
  const isl::map homeOfTiles = gistOf(homesOf(ofTiles, *model.program, ctx));
  for (const dependence::StatementModel &statement : model.statements) {
    const isl::map tile = tilesOfSlices(statement.place, model.program->slices);
    tasks_.emplace(statement.task->id, tile.apply_range(homeOfTiles).coalesce());
  }
}

isl::map Placement::home(const dependence::MatrixModel &matrix) const {
  return model_.place(*matrix.matrix).apply_range(home_).set_domain_tuple(matrix.name);
}

} // namespace hetc::specialize
