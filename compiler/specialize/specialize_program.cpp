#include "compiler/specialize/specialize_program.hpp"

#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/paths.hpp"
#include "compiler/ir/period.hpp"
#include "compiler/specialize/specialize.hpp"
#include "dsl/base/thread.hpp"

#include <future>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>

namespace hetc::specialize {

namespace {

/// isl's work grows faster than the number of tasks: a program of so many is taken path by path at once, where it has
/// several.
constexpr std::size_t mostTasksAtOnce = 30;

std::size_t countTasks(const ir::Program &program) {
  std::size_t count = 0;
  ir::forEachTask(program.body, [&](const ir::Task &) { ++count; });
  return count;
}

bool isTakenAsWhole(const ir::Program &program, const std::vector<ir::Path> &paths) {
  return paths.size() == 1 || countTasks(program) <= mostTasksAtOnce;
}

/// Fills one Specialized.
class ProgramSpecializer {
public:
  ProgramSpecializer(const ir::Program &program, const tla::Distribution &distribution)
      : program_(program), made_{distribution, false, {}, {}, {}, {}} {}

  Specialized run(const dependence::Analyzed &analyzed) {
    if (!program_.functions.empty()) { // why there are no loops was shown with the analysis
      made_.obstacle = analyzed.obstacle;
      return std::move(made_);
    }
    if (program_.checksContent && program_.hasWorkspacesOfCalls()) {
      addObstacle({"what calls of algorithms read in workspaces of their own is not proved"}, analyzed);
      return std::move(made_);
    }
    made_.bindsPeriod = ir::asksPeriod(program_);
    std::optional<ir::Program> bound;
    if (made_.bindsPeriod) // what the distribution decides of the program is a constant for its loops
      bound = ir::bindPeriod(program_, made_.distribution.period().rows, made_.distribution.period().columns);
    std::vector<ir::Path> paths = ir::pathsOf(bound ? *bound : program_);
    Loops loops = Obstacle{};
    const bool whole = isTakenAsWhole(program_, paths);
    if (whole && bound)
      loops = loopsOf(keep(std::move(*bound)));
    else if (whole && analyzed.analysis && !analyzed.analysis->incomplete)
      loops = specialize(program_, *analyzed.analysis, made_.distribution);
    else if (paths.size() == 1)
      loops = Obstacle{analyzed.obstacle};
    if (paths.size() > 1 && std::holds_alternative<Obstacle>(loops) && !hasErrors())
      loops = loopsOfPaths(std::move(paths));
    if (auto *nodeProgram = std::get_if<NodeProgram>(&loops))
      made_.loops = std::move(*nodeProgram);
    else if (!hasErrors())
      addObstacle(std::get<Obstacle>(loops), analyzed);
    return std::move(made_);
  }

private:
  using Loops = std::variant<NodeProgram, Obstacle>;
  struct Outcome {
    Loops loops;
    std::vector<ir::Diagnostic> errors; ///< the author's; the obstacle is without a reason then
  };

  bool hasErrors() const { return !made_.diagnostics.empty(); }

  const ir::Program &keep(ir::Program &&program) {
    return *made_.programs.emplace_back(std::make_unique<const ir::Program>(std::move(program)));
  }

  Loops loopsOf(const ir::Program &program) { return accept(outcomeOf(program)); }

  Loops accept(Outcome &&outcome) {
    if (!hasErrors())
      made_.diagnostics = std::move(outcome.errors);
    return std::move(outcome.loops);
  }

  /// On any thread: isl's objects are all of one context of its own.
  Outcome outcomeOf(const ir::Program &program) const {
    const auto outcome = dependence::analyze(program, dependence::analysisLimits(program_, dependence::Use::Loops),
                                             {dependence::Questions::Dependences::Flow, /*priorities=*/false});
    if (const auto *reason = std::get_if<dependence::NonAffine>(&outcome))
      return {Obstacle{reason->reason, reason->location}, {}};
    if (const auto *limit = std::get_if<dependence::LimitExceeded>(&outcome))
      return {Obstacle{describe(*limit)}, {}};
    const auto &analysis = std::get<dependence::Analysis>(outcome);
    if (std::vector<ir::Diagnostic> errors = dependence::findErrors(program_, analysis); !errors.empty())
      return {Obstacle{}, std::move(errors)};
    if (analysis.incomplete)
      return {Obstacle{describe(*analysis.incomplete)}, {}};
    return {specialize(program, analysis, made_.distribution), {}};
  }

  /// On a thread of its own or, where the system starts no more, at once.
  static void runAside(std::packaged_task<Outcome()> &&task, std::vector<tla::Thread> &threads) {
    const auto shared = std::make_shared<std::packaged_task<Outcome()>>(std::move(task));
    try {
      threads.emplace_back([shared] { (*shared)(); });
    } catch (const std::system_error &) {
      (*shared)();
    }
  }

  /// One after the other, each under its condition; found side by side.
  Loops loopsOfPaths(std::vector<ir::Path> &&paths) {
    std::vector<std::future<Outcome>> outcomes;
    std::vector<tla::Thread> threads;
    for (ir::Path &path : paths) {
      const ir::Program &program = keep(std::move(path.program));
      std::packaged_task<Outcome()> task([this, &program] { return outcomeOf(program); });
      outcomes.push_back(task.get_future());
      runAside(std::move(task), threads);
    }
    std::vector<Loops> each;
    for (std::future<Outcome> &outcome : outcomes)
      each.push_back(accept(outcome.get()));
    NodeProgram all;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      Loops &loops = each[i];
      if (std::holds_alternative<Obstacle>(loops))
        return std::move(loops);
      append(paths[i].condition, std::move(std::get<NodeProgram>(loops)), all);
    }
    return all;
  }

  /// Each node runs all of the program then.
  void addObstacle(const Obstacle &obstacle, const dependence::Analyzed &analyzed) {
    made_.obstacle = obstacle.reason;
    if (obstacle.reason == analyzed.obstacle) // which was shown
      return;
    made_.diagnostics.push_back(
        ir::makeRemark(obstacle.location, "there are no loops for the nodes of " + made_.distribution.name() + " (" +
                                              obstacle.reason + "); each runs all of '" + program_.name + "'"));
  }

  const ir::Program &program_;
  Specialized made_;
};

} // namespace

bool needsFlow(const ir::Program &program) {
  return program.functions.empty() && !ir::asksPeriod(program) && isTakenAsWhole(program, ir::pathsOf(program));
}

Specialized specializeProgram(const ir::Program &program, const dependence::Analyzed &analyzed,
                              const tla::Distribution &distribution) {
  return ProgramSpecializer(program, distribution).run(analyzed);
}

} // namespace hetc::specialize
