#include "compiler/driver/fit.hpp"

#include "compiler/codegen/halves.hpp"
#include "compiler/dependence/arguments.hpp"
#include "compiler/ir/diagnose.hpp"

#include <algorithm>
#include <iterator>

namespace hetc::driver {

namespace {

std::set<unsigned> fitting(const dependence::ProvedArguments &proved, const dependence::Findings &findings) {
  std::set<unsigned> all = findings.fitting;
  std::ranges::set_intersection(proved.tilesFit, proved.distinct, std::inserter(all, all.end()));
  return all;
}

/// The matrices of the tiles that the task takes.
std::set<std::string> matricesOf(const ir::Program &program, unsigned task) {
  std::set<std::string> matrices;
  ir::forEachTask(program, [&](const ir::Task &one) {
    for (const ir::Argument &argument : one.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&argument); tile && one.id == task)
        matrices.insert(tile->matrix);
  });
  return matrices;
}

/// Calls of standard kernels that leave the half of a tile that they are given.
std::vector<ir::Diagnostic> leftHalves(const ir::Program &program) {
  std::vector<ir::Diagnostic> errors;
  ir::forEachTask(program, [&](const ir::Task &task) {
    const ir::Kernel &kernel = *program.findKernel(task.kernel);
    for (const codegen::GivenHalf &half : codegen::givenHalves(kernel, task)) {
      if (half.verdict(kernel, task) != codegen::GivenHalf::Verdict::Leaves)
        continue;
      const ir::Location &argument = std::get<ir::TileAccess>(task.arguments[half.argument]).location;
      errors.push_back(ir::withCalls(
          program, task.id,
          ir::makeError(argument.line ? argument : task.location, codegen::describe(half, kernel, task))));
    }
  });
  return errors;
}

} // namespace

Fitted fitArguments(ir::Program &program) {
  if (!program.functions.empty()) // what its calls are given is known when they run
    return {{}, leftHalves(program)};
  const dependence::ProvedArguments proved = dependence::proveArguments(program);
  const dependence::Findings findings = dependence::findMisfits(program, proved);
  dependence::markProved(program, proved);
  Fitted fitted{fitting(proved, findings), leftHalves(program)};
  for (const dependence::Misfit &misfit : findings.misfits) {
    ir::Diagnostic error = ir::makeError(misfit.location, misfit.message);
    if (misfit.ofSizes)
      error = ir::withShapes(program, matricesOf(program, misfit.task), std::move(error));
    fitted.diagnostics.push_back(ir::withCalls(program, misfit.task, std::move(error)));
  }
  return fitted;
}

std::set<unsigned> findFitting(const ir::Program &program) {
  if (!program.functions.empty())
    return {};
  const dependence::ProvedArguments proved = dependence::proveArguments(program);
  return fitting(proved, dependence::findMisfits(program, proved));
}

} // namespace hetc::driver
