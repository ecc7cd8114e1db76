#include "compiler/specialize/homes.hpp"

#include "compiler/specialize/nest.hpp"

namespace hetc::specialize {

namespace {
const std::string row = "I__", column = "J__";

/// [I__, J__] -> { X[x, y] } from { [I, J] -> [x, y] }.
isl::set withTileAsParameters(const isl::map &home) {
  isl_set *result = isl_map_wrap(isl_map_copy(home.get()));
  result = isl_set_flatten(result);
  const auto parameters = static_cast<unsigned>(isl_set_dim(result, isl_dim_param));
  result = isl_set_move_dims(result, isl_dim_param, parameters, isl_dim_set, 0, 2);
  result = isl_set_set_dim_name(result, isl_dim_param, parameters, row.c_str());
  result = isl_set_set_dim_name(result, isl_dim_param, parameters + 1, column.c_str());
  return isl::manage(isl_set_set_tuple_name(result, "X"));
}
} // namespace

Homes::Homes(const Placement &placement) {
  const isl::set home = withTileAsParameters(placement.home());
  const isl::set context(home.ctx(), "[" + row + ", " + column + "] -> { : " + row + " >= 0 and " + column + " >= 0 }");
  const std::map<std::string, ir::ExprRef> names = {{row, ir::makeVar(row)}, {column, ir::makeVar(column)}};
  // Cases without common tiles, the last of which needs no condition.
  for (const isl::set &piece : pieces(home))
    for (const Nest &nest : makeNests(piece, {}, names, context))
      for (std::size_t i = 0; i < home_.size(); ++i)
        home_[i] = home_[i] && nest.condition ? ir::makeSelect(nest.condition, nest.coordinates[i], home_[i])
                                              : nest.coordinates[i];
}

Pair Homes::of(const Pair &tile) const {
  const std::map<std::string, ir::ExprRef> values = {{row, tile[0]}, {column, tile[1]}};
  return {ir::substitute(home_[0], values), ir::substitute(home_[1], values)};
}

} // namespace hetc::specialize
