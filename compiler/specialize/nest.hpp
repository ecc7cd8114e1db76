// One set of instances as one nest of loops.
#pragma once

#include "compiler/dependence/context.hpp"
#include "compiler/ir/expr.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace hetc::specialize {

/// Thrown for loops that the program has no expression for; specialize(), the one entry point, turns it into an
/// Obstacle.
class Unnamed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// if (condition) for (variable = first; variable <= last; variable += step)
struct NestLevel {
  ir::ExprRef condition; ///< condition around the loop; null: there is none
  ir::ExprRef first, last;
  std::int64_t step = 1;
};

struct Nest {
  std::vector<NestLevel> levels;
  ir::ExprRef condition; ///< innermost; null: none
  /// The instance's, over the variables.
  std::vector<ir::ExprRef> coordinates;
};

/// A loop's variable; with a negative direction it is the negative of the instance's coordinate.
struct NestVariable {
  std::string name;
  int direction = 1;
};

/// Convex pieces without common elements.
std::vector<isl::set> pieces(const isl::set &set);

/// `instances`: { X0[k, i, ...] : ... }, one convex piece, visited in the order of the first coordinates, one loop for
/// each of `variables`; they determine the others. Mostly one nest; without common instances where isl makes several.
/// `parameters`: how the program writes isl's parameters; null where it has no expression. `context`: { : what is known
/// of the parameters }.
std::vector<Nest> makeNests(const isl::set &instances, const std::vector<NestVariable> &variables,
                            const std::map<std::string, ir::ExprRef> &parameters, const isl::set &context);

/// a && b, where null stands for true.
ir::ExprRef conjunction(const ir::ExprRef &a, const ir::ExprRef &b);

/// Rounds down for any dividend, with C++'s division that rounds to zero; the divisor is positive.
ir::ExprRef floorDivision(const ir::ExprRef &a, const ir::ExprRef &b);

} // namespace hetc::specialize
