// The stage of the dependence analysis: what tasks touch and in which order they must run, for all sizes at once. What
// cannot be proved is no error: the program runs in replay mode then, and the runtime checks its indices.
#pragma once

#include "compiler/dependence/dependence.hpp"
#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hetc::dependence {

struct Proved {
  Priorities priorities;                   ///< priorities that analyzeProgram() would give
  std::vector<ir::Diagnostic> diagnostics; ///< errors: accesses that go wrong
};

/// The errors of analyzeProgram(), and its priorities where they are wanted; of a program that asks for the period
/// those on one node.
Proved proveProgram(const ir::Program &program, bool wantsPriorities);

struct Analyzed {
  /// The program on one node, where it asks for the period: its analysis is of that.
  std::unique_ptr<const ir::Program> onOneNode;
  std::optional<Analysis> analysis; ///< nothing, or incomplete, where there are no dependences
  std::string obstacle;             ///< why there are none
  bool proved = true;               ///< all indices stay inside their matrices
  /// The error in a program on slices, or for copies of nodes. The author's was proved before, so this is hetc's own
  /// error.
  std::optional<std::string> ownMistake;
  /// Errors of the author's: accesses that go wrong. Remarks: what is not proved.
  std::vector<ir::Diagnostic> diagnostics;
};

/// Analyzes a program, which must outlive the result where it is, and gives its tasks priorities. One that asks for the
/// period is analyzed on one node, and for errors on all p x p grids up to `largestGrid` (>= 1): what it does on a
/// distribution is analyzed when that is known (specializeProgram).
Analyzed analyzeProgram(ir::Program &program, int largestGrid, const AnalysisLimits &limits,
                        const Questions &questions = {});

/// How long a program may be analyzed. One that hetc has made of another one has several statements for each of the
/// author's; where nobody asks for loops of nodes it may take the author's tasks' priorities, and there is less to
/// gain.
enum class Use { Loops, Priorities };
AnalysisLimits analysisLimits(const ir::Program &program, Use use);

/// The errors that an analysis of the program found.
std::vector<ir::Diagnostic> findErrors(const ir::Program &program, const Analysis &analysis);

/// "the dependence analysis gave up (more than 3000000 operations)"
std::string describe(const LimitExceeded &limit);

} // namespace hetc::dependence
