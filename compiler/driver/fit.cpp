#include "compiler/driver/fit.hpp"

#include "compiler/dependence/arguments.hpp"
#include "compiler/driver/reporter.hpp"

#include <algorithm>
#include <iterator>

namespace hetc::driver {

namespace {

std::set<unsigned> fitting(const dependence::ProvedArguments &proved, const dependence::Findings &findings) {
  std::set<unsigned> all = findings.fitting;
  std::ranges::set_intersection(proved.tilesFit, proved.distinct, std::inserter(all, all.end()));
  return all;
}

} // namespace

Fitted fitArguments(ir::Program &program) {
  const dependence::ProvedArguments proved = dependence::proveArguments(program);
  const dependence::Findings findings = dependence::findMisfits(program, proved);
  dependence::markProved(program, proved);
  Fitted fitted{fitting(proved, findings), {}};
  for (const dependence::Misfit &misfit : findings.misfits)
    fitted.diagnostics.push_back(withCalls(program, misfit.task, makeError(misfit.location, misfit.message)));
  return fitted;
}

std::set<unsigned> findFitting(const ir::Program &program) {
  const dependence::ProvedArguments proved = dependence::proveArguments(program);
  return fitting(proved, dependence::findMisfits(program, proved));
}

} // namespace hetc::driver
