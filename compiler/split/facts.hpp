// What is known at a place of a program from the conditions around it: so a rule's conditions on options are decided
// where the algorithm has asked for the same option before. Private to the stage.
#pragma once

#include "compiler/ir/expr.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace hetc::split {

class Facts {
public:
  /// Adds the fact that `condition` holds, or (holds = false) that it does not.
  void add(const ir::ExprRef &condition, bool holds);
  /// Forgets all but the first `count`, as size() was before.
  void shrink(std::size_t count) { known_.resize(count); }
  std::size_t size() const { return known_.size(); }

  /// The expression, simpler by what is known.
  ir::ExprRef apply(const ir::ExprRef &expr) const;

private:
  bool isKnown(const ir::ExprRef &condition, bool holds) const;

  std::vector<std::pair<ir::ExprRef, bool>> known_;
};

} // namespace hetc::split
