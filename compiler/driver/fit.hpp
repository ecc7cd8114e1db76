// The stage that proves that the arguments of every call fit together, or finds a call where they do not.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <set>
#include <vector>

namespace hetc::driver {

struct Fitted {
  std::set<unsigned> fitting;              ///< fitting tasks, as findFitting() has them
  std::vector<ir::Diagnostic> diagnostics; ///< errors: calls whose arguments do not fit together
};

/// Notes in the program's tasks what is proved of them.
Fitted fitArguments(ir::Program &program);

/// Tasks whose tiles are proved to fit together, or do so at all small sizes. What is required of scalars a rule's own
/// kernels check.
std::set<unsigned> findFitting(const ir::Program &program);

} // namespace hetc::driver
