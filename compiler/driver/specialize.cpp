#include "compiler/driver/specialize.hpp"

#include "compiler/driver/reporter.hpp"
#include "compiler/ir/period.hpp"
#include "compiler/specialize/specialize.hpp"

#include <utility>
#include <variant>

namespace hetc::driver {

namespace {

/// Each node runs all of the program then.
void addObstacle(Specialized &specialized, const ir::Program &program, const std::string &reason) {
  specialized.obstacle = reason;
  specialized.diagnostics.push_back(makeRemark({}, "there are no loops for the nodes of " +
                                                       specialized.distribution.name() + " (" + reason +
                                                       "); each runs all of '" + program.name + "'"));
}

void addLoops(Specialized &specialized, const ir::Program &program, const dependence::Analysis &analysis) {
  auto outcome = specialize::specialize(program, analysis, specialized.distribution);
  if (const auto *obstacle = std::get_if<specialize::Obstacle>(&outcome))
    addObstacle(specialized, program, obstacle->reason);
  else
    specialized.loops = std::move(std::get<specialize::NodeProgram>(outcome));
}

/// What the distribution decides of the program is a constant for its loops: they are made of such a program.
void addBoundLoops(Specialized &specialized, const ir::Program &program) {
  const auto [rows, columns] = specialized.distribution.period();
  specialized.bound = std::make_unique<ir::Program>(ir::bindPeriod(program, rows, columns));
  const auto outcome = dependence::analyze(*specialized.bound, analysisLimits(program));
  if (const auto *reason = std::get_if<dependence::NonAffine>(&outcome))
    return addObstacle(specialized, program, reason->reason);
  if (const auto *limit = std::get_if<dependence::LimitExceeded>(&outcome))
    return addObstacle(specialized, program, describe(*limit));
  const auto &analysis = std::get<dependence::Analysis>(outcome);
  specialized.diagnostics = findErrors(program, analysis);
  if (!specialized.diagnostics.empty())
    return;
  if (analysis.incomplete)
    addObstacle(specialized, program, describe(*analysis.incomplete));
  else
    addLoops(specialized, *specialized.bound, analysis);
}

} // namespace

std::optional<Specialized> specializeProgram(const ir::Program &program, const Analyzed &analyzed,
                                             const std::string &distribution) {
  std::string error;
  auto parsed = tla::parseDistribution(distribution, error);
  if (!parsed)
    return std::nullopt;
  Specialized specialized{std::move(*parsed), {}, {}, {}, {}};
  if (ir::asksPeriod(program))
    addBoundLoops(specialized, program);
  else if (analyzed.analysis && !analyzed.analysis->incomplete)
    addLoops(specialized, program, *analyzed.analysis);
  else
    specialized.obstacle = analyzed.obstacle; // which was shown
  return specialized;
}

} // namespace hetc::driver
