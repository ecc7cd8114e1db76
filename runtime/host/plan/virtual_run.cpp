#include "runtime/host/plan/virtual_run.hpp"

#include "runtime/host/plan/cost_choice.hpp"

namespace tla::host {
namespace {

/// Each tile its own, as if it had memory.
void giveAddresses(Storage &storage, std::uintptr_t &next) {
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i)
      if (storage.stores(i, j)) {
        storage.setTile(i, j, reinterpret_cast<void *>(next));
        next += static_cast<std::uintptr_t>(storage.tileRows(i)) * storage.tileCols(j) * storage.elementBytes() + 64;
      }
}

} // namespace

runtime::Outcome runVirtually(const VirtualRunRequest &request) {
  const DryCall call(request.algorithm, request.values, request.scalars, request.nb, request.cut, 0);
  const runtime::Arguments arguments = call.arguments();
  std::uintptr_t next = std::uintptr_t(1) << 45; // nobody looks there
  for (int matrix = 0; matrix < request.algorithm.matrixCount; ++matrix)
    giveAddresses(*arguments.matrices[matrix], next);

  const runtime::VirtualNode node(request.machine, static_cast<char>(request.algorithm.type));
  runtime::Options options;
  options.threads = request.threads;
  options.window = request.window;
  options.trace = request.trace;
  options.virtualMachine = &node.machine();
  for (const auto &accelerator : node.accelerators())
    options.accelerators.push_back(accelerator.get());
  runtime::Executor executor(options);
  executor.share(request.shares);
  const auto watched = request.interruptible ? request.interruptible(executor) : nullptr;
  return executor.run(request.algorithm, arguments);
}

} // namespace tla::host
