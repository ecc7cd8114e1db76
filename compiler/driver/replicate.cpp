#include "compiler/driver/replicate.hpp"

#include "compiler/maps/replicate.hpp"

#include <utility>
#include <variant>

namespace hetc::driver {

Dealt replicateProgram(ir::Program &program, int copies, const std::vector<ir::Kernel> &kernels) {
  auto made = maps::replicate(program, copies, kernels);
  if (auto *error = std::get_if<ir::Diagnostic>(&made))
    return {false, {std::move(*error)}};
  auto &replicated = std::get<maps::Replicated>(made);
  program = std::move(replicated.program);
  return {true, std::move(replicated.diagnostics)};
}

std::vector<std::string> kernelsForCopies(int copies) {
  return copies > 1 ? std::vector<std::string>{"laset", "geadd", "tradd"} : std::vector<std::string>();
}

} // namespace hetc::driver
