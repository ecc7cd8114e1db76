// The stage of --dist: the loops of each node of a distribution.
#pragma once

#include "compiler/dependence/analyze_program.hpp"
#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"
#include "compiler/specialize/node_program.hpp"
#include "runtime/distribution/distribution.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hetc::specialize {

struct Specialized {
  tla::Distribution distribution;
  bool bindsPeriod; ///< the program asks for its period, and the loops are for this one
  /// The programs that the loops borrow beside the program itself: with the period's numbers in it, and path by path.
  std::vector<std::unique_ptr<const ir::Program>> programs;
  std::optional<NodeProgram> loops; ///< loops of the nodes
  std::string obstacle;             ///< why there are none
  /// Errors of the program on that distribution. A remark, where it has no loops.
  std::vector<ir::Diagnostic> diagnostics;
};

/// Whether loops are made of the flow in the program as a whole: otherwise of its parts, each analyzed by itself.
bool needsFlow(const ir::Program &program);

/// Makes loops for the nodes of the distribution, of a program that was analyzed, for its flow where that is needed,
/// and outlives the result where it is.
Specialized specializeProgram(const ir::Program &program, const dependence::Analyzed &analyzed,
                              const tla::Distribution &distribution);

} // namespace hetc::specialize
