// isl's affine expressions and conditions back to the IR.
#pragma once

#include "compiler/dependence/model.hpp"

#include <optional>

namespace hetc::dependence {

/// One case of a piecewise expression.
struct Piece {
  isl::set domain; ///< { S0[k, i] : ... }
  isl::aff value;  ///< { S0[k, i] -> [value] }
};

/// Converts isl's expression to an expression of the program over its loop variables and sizes; nullopt when that
/// divides, or needs a parameter that the program has no expression for.
std::optional<ir::ExprRef> toExpr(const StatementModel &statement, const std::vector<Parameter> &parameters,
                                  const isl::aff &value);
std::optional<ir::ExprRef> toCondition(const StatementModel &statement, const std::vector<Parameter> &parameters,
                                       const isl::set &condition);
/// c1 ? v1 : c2 ? v2 : v3 for disjoint pieces that cover `domain`, the simplest conditions first; nullopt when
/// a condition would be long.
std::optional<ir::ExprRef> toExpr(const StatementModel &statement, const std::vector<Parameter> &parameters,
                                  std::vector<Piece> pieces, isl::set domain);

} // namespace hetc::dependence
