// Whether the arguments of every kernel call fit together: what kernels require of their sizes (requires(...)), and
// that nothing a kernel writes is another of its arguments as well (alias(...)). Proved for all sizes where that can be
// done; else small sizes are searched for a counterexample, and what neither shows is left to the run. Free of isl.
#pragma once

#include "compiler/dependence/dependence.hpp"

#include <cstddef>
#include <set>
#include <vector>

namespace hetc::dependence {

/// The facts that are proved of the arguments of all calls, as sets of task ids.
struct ProvedArguments {
  std::set<unsigned> fits; ///< all that the kernel requires holds
  std::set<unsigned>
      tilesFit; ///< all that it requires of tiles does, where that holds which it requires of scalars alone
  std::set<unsigned> distinct; ///< no tile of a matrix that the task writes is another argument as well
};

/// Proves what it can, for all sizes. Of programs outside the affine subset nothing but what needs no analysis; of
/// those too hard for isl what was proved within the limits.
ProvedArguments proveArguments(const ir::Program &program, const AnalysisLimits &limits = {1'500'000});

/// A call that goes wrong for some sizes, with the smallest ones.
struct Misfit {
  unsigned task = 0;
  ir::Location location; ///< place of the call, or of the argument that is given twice
  /// "for m = 5, nb = 2, i = 2: gemm requires A.m() == C.m(), but A, which is A(2, 0), is 1 x 2 ..."
  std::string message;
  bool ofSizes = true; ///< whether sizes do not fit; otherwise an argument is given twice
};

/// Task instances that a search looks at, at most.
inline constexpr std::size_t searchedInstances = 60'000;

struct Findings {
  std::vector<Misfit> misfits;
  std::set<unsigned> fitting; ///< tasks of which no call is a misfit, and at least one has been looked at
};

/// Runs the loops for small sizes, ragged ones among them, with options and small integers for scalar parameters, and
/// looks at the tasks that are not proved. Each is reported once at most for each of the two.
Findings findMisfits(const ir::Program &program, const ProvedArguments &proved, std::size_t budget = searchedInstances);

/// Notes in the tasks what is proved of them.
void markProved(ir::Program &program, const ProvedArguments &proved);
/// Copies the facts to tasks from another program with the same tasks, in which they are proved.
void copyProved(const ir::Program &from, ir::Program &to);

} // namespace hetc::dependence
