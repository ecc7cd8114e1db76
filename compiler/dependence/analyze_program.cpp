#include "compiler/dependence/analyze_program.hpp"

#include "compiler/dependence/recursion.hpp"
#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/paths.hpp"
#include "compiler/ir/period.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hetc::dependence {

namespace {

/// Whether hetc has made another program of the author's, with more statements.
bool isTransformed(const ir::Program &program) { return program.slices > 1 || program.copies > 1 || program.isDealt(); }

/// Fills one Analyzed.
class Analyzer {
public:
  Analyzer(ir::Program &program, const AnalysisLimits &limits, const Questions &questions)
      : program_(program), limits_(limits), questions_(questions) {}

  Analyzed run(int largestGrid) {
    if (!program_.functions.empty()) {
      made_.diagnostics = checkFunctions(program_);
      made_.proved = false;
      made_.obstacle = whyNotAnalyzed(program_);
      if (!ir::hasErrors(made_.diagnostics))
        addNotProved({}, made_.obstacle);
      return std::move(made_);
    }
    auto outcome = analyze(program_, limits_, questions_);
    if (const auto *limit = std::get_if<LimitExceeded>(&outcome))
      addNotProved({}, describe(*limit));
    else if (auto *analysis = std::get_if<Analysis>(&outcome))
      keep(std::move(*analysis));
    else if (const auto &reason = std::get<NonAffine>(outcome); ir::asksPeriod(program_))
      analyzeGrids(reason, largestGrid);
    else
      useCover(reason);
    return std::move(made_);
  }

private:
  void keep(Analysis &&analysis) {
    if (!accept(analysis))
      return;
    if (analysis.incomplete) {
      made_.obstacle = describe(*analysis.incomplete);
      addRemark({}, made_.obstacle + "; the indices of '" + program_.name + "' are proved, and it " + runs() +
                        " in replay mode");
    } else
      derivePriorities(program_, analysis.priorities);
    made_.analysis = std::move(analysis);
  }

  /// Uses the facts that are known of a program that is not affine, where its steps are at fault.
  void useCover(const NonAffine &reason) {
    if (reason.unproved) {
      made_.obstacle = reason.reason;
      addRemark(reason.location, made_.obstacle + "; '" + program_.name + "' " + runs() + " in replay mode");
      addNotProved(*reason.unproved);
    } else
      addNotProved(reason.location, reason.reason);
    derivePriorities(program_, reason.priorities);
  }

  /// `whole` says why the program for all periods is not affine.
  void analyzeGrids(const NonAffine &whole, int largestGrid) {
    Priorities priorities = whole.priorities;
    for (int p = 1; p <= largestGrid; ++p) {
      auto bound = std::make_unique<ir::Program>(ir::bindPeriod(program_, p, p));
      auto outcome = analyze(*bound, limits_, questions_);
      if (const auto *open = std::get_if<NonAffine>(&outcome); open && open->unproved) {
        addNotProved(*open->unproved);
        continue;
      }
      auto *analysis = std::get_if<Analysis>(&outcome);
      if (!analysis) {
        addNotProved(whole.location, whole.reason);
        break;
      }
      if (!accept(*analysis))
        return;
      if (p > 1)
        continue;
      // Exact, where the cover has both branches of every condition.
      for (const auto &[task, priority] : analysis->priorities)
        priorities.insert_or_assign(task, priority);
      made_.onOneNode = std::move(bound);
      made_.analysis = std::move(*analysis);
    }
    derivePriorities(program_, priorities);
  }

  /// Whether the program can be used: false after an error of its author's, and where hetc made a program that the
  /// author did not write.
  bool accept(const Analysis &analysis) {
    std::vector<ir::Diagnostic> errors = findErrors(program_, analysis);
    if (program_.until && !errors.empty()) { // its author's errors are those of the whole
      made_.obstacle = errors.front().message;
      return false;
    }
    if (isTransformed(program_) && !errors.empty())
      made_.ownMistake = errors.front().message;
    else
      std::ranges::move(errors, std::back_inserter(made_.diagnostics));
    if (!errors.empty())
      return false;
    addNotProved(analysis.unproved);
    return true;
  }

  void addNotProved(const std::vector<Violation> &violations) {
    for (const Violation &violation : violations) {
      made_.proved = false;
      addRemark(violation.location, "hetc cannot prove that this access is always right; the runtime checks it");
    }
  }

  void addNotProved(const ir::Location &location, const std::string &reason) {
    made_.proved = false;
    made_.obstacle = reason;
    addRemark(location,
              reason + "; '" + program_.name + "' " + runs() + " in replay mode and its indices are not proved");
  }

  /// Loops for nodes may be found for a distribution's own period, or for each of the program's paths, where there are
  /// none for the whole.
  std::string runs() const {
    if (!program_.functions.empty())
      return "runs";
    return ir::asksPeriod(program_) || ir::pathsOf(program_).size() > 1 ? "may run" : "runs";
  }

  void addRemark(const ir::Location &location, const std::string &message) {
    made_.diagnostics.push_back(ir::makeRemark(location, message));
  }

  ir::Program &program_;
  const AnalysisLimits limits_;
  const Questions questions_;
  Analyzed made_;
};

} // namespace

Proved proveProgram(const ir::Program &program, bool wantsPriorities) {
  if (!program.functions.empty())
    return {{}, checkFunctions(program)};
  const Questions questions{Questions::Dependences::Unwritten, wantsPriorities};
  const auto outcome =
      ir::asksPeriod(program) ? analyze(ir::bindPeriod(program, 1, 1), {}, questions) : analyze(program, {}, questions);
  if (const auto *analysis = std::get_if<Analysis>(&outcome))
    return {analysis->priorities, findErrors(program, *analysis)};
  const auto *reason = std::get_if<NonAffine>(&outcome);
  return {reason ? reason->priorities : Priorities(), {}};
}

Analyzed analyzeProgram(ir::Program &program, int largestGrid, const AnalysisLimits &limits,
                        const Questions &questions) {
  Analyzed analyzed = Analyzer(program, limits, questions).run(largestGrid);
  // Of periods that nobody has tried nothing is proved.
  const bool isProved = analyzed.proved && analyzed.obstacle.empty() && !ir::asksPeriod(program);
  if (!program.until) // else its author's program as a whole has been asked
    program.checksContent = !isProved;
  return analyzed;
}

AnalysisLimits analysisLimits(const ir::Program &program, Use use) {
  AnalysisLimits limits;
  if (!isTransformed(program))
    return limits;
  if (use == Use::Loops)
    limits.maxOperations *= 8;
  limits.maxTime = std::chrono::milliseconds(use == Use::Loops ? 8'000 : 2'000);
  return limits;
}

std::vector<ir::Diagnostic> findErrors(const ir::Program &program, const Analysis &analysis) {
  std::vector<ir::Diagnostic> errors;
  for (const auto *violations : {&analysis.outOfBounds, &analysis.uninitialized})
    for (const Violation &violation : *violations) {
      ir::Diagnostic error = ir::makeError(violation.location, describe(program, violation));
      const bool hasTiles = violation.mt > 0 || violation.nt > 0; // of 0 x 0 tiles the sizes are at fault
      const bool isBeyondEnd = violation.row >= violation.mt || violation.column >= violation.nt;
      if (hasTiles && isBeyondEnd && violation.kind == Violation::Kind::OutOfBounds)
        error = ir::withShapes(program, {violation.matrix}, std::move(error));
      errors.push_back(ir::withCalls(program, violation.task, std::move(error)));
    }
  return errors;
}

std::string describe(const LimitExceeded &limit) { return "the dependence analysis gave up (" + limit.reason + ")"; }

} // namespace hetc::dependence
