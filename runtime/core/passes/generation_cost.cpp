#include <tla/generated/stages.hpp>

#include "runtime/core/passes/borrowed_period.hpp"
#include "runtime/core/passes/node_program.hpp"
#include "runtime/core/passes/shapes.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/interfaces/cost.hpp"

#include <chrono>

namespace tla::runtime {
namespace {

/// Takes a node's tasks, or a program's, and counts them.
class GenerationSink final : public DryPass {
public:
  explicit GenerationSink(const Distribution &distribution) : DryPass(&distribution) {}
  void append(const TaskCall &) override { ++cost.tasks; }
  void send(const TileRef &, int, int) override { ++cost.sends; }
  void receive(const TileRef &, int, int) override { ++cost.receives; }

  GenerationCost cost;
};

} // namespace

GenerationCost measureGeneration(const Algorithm &algorithm, const Arguments &arguments,
                                 const Distribution &distribution, int node) {
  const BorrowedPeriod period(algorithm, arguments, distribution);
  requireFittingShapes(algorithm, arguments);
  GenerationSink own(distribution);
  const auto begin = std::chrono::steady_clock::now();
  forEachStage(algorithm, arguments, [&](const Arguments &part) {
    generateInstances(nodeProgram(algorithm, part, distribution, node), distribution, node, own);
    return true;
  });
  own.cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  own.cost.byNodeLoops = hasNodeLoops(algorithm, distribution);
  own.cost.visited = own.cost.tasks + own.cost.sends + own.cost.receives;
  if (!own.cost.byNodeLoops) {
    GenerationSink all(distribution);
    Generator counting(all);
    algorithm.generate(counting, arguments);
    own.cost.visited = all.cost.tasks;
  }
  return own.cost;
}

} // namespace tla::runtime
