#include "compiler/ir/loop_errors.hpp"

#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/text.hpp"

#include <map>

namespace hetc::ir {

namespace {

using LoopEnds = std::map<const Loop *, LoopEnd>;

void addEndless(const Block &block, const LoopEnds &ends, std::vector<Diagnostic> &errors) {
  for (const Statement &statement : block)
    if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement)) {
      addEndless((*branch)->then, ends, errors);
      addEndless((*branch)->otherwise, ends, errors);
    } else if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement)) {
      const std::string &never = ends.at(loop->get()).never;
      if (!never.empty())
        errors.push_back(makeError((*loop)->location, "the loop over '" + (*loop)->variable +
                                                          "' never ends once it is entered: " + never));
      addEndless((*loop)->body, ends, errors);
    }
}

void addOpenSteps(const Program &program, std::vector<Diagnostic> &errors) {
  for (const auto &[step, location] : openPanelSteps(program))
    errors.push_back(makeError(
        location, "the step of a panel must be at least 1, which hetc cannot see of '" + print(*step) +
                      "': use a constant, p() or q() of a matrix, a parameter that is tuned, or max(1, ...)"));
}

} // namespace

std::vector<Diagnostic> findLoopErrors(const Program &program) {
  std::vector<Diagnostic> errors;
  const LoopEnds ends = loopEnds(program);
  addEndless(program.body, ends, errors);
  for (const Function &function : program.functions)
    addEndless(function.body, ends, errors);
  addOpenSteps(program, errors);
  return errors;
}

} // namespace hetc::ir
