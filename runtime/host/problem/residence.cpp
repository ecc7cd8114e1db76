#include "runtime/host/problem/residence.hpp"

namespace tla::host {

void makeResident(runtime::Executor &executor, const runtime::Algorithm &algorithm,
                  const runtime::Arguments &arguments) {
  if (executor.accelerators() == 0)
    throw UsageError(noDeviceForResidents);
  if (const std::string obstacle = executor.makeResident(algorithm, arguments); !obstacle.empty())
    throw UsageError("--resident: " + obstacle + "; leave it out, and tiles go there when they are needed");
}

} // namespace tla::host
