#include "compiler/driver/task_maps.hpp"

#include "compiler/maps/deal.hpp"
#include "compiler/maps/replicate.hpp"

#include <utility>
#include <variant>

namespace hetc::driver {

using Made = std::variant<maps::Mapped, ir::Diagnostic>;

static Dealt take(Made made, ir::Program &program) {
  if (auto *error = std::get_if<ir::Diagnostic>(&made))
    return {false, {std::move(*error)}};
  auto &dealt = std::get<maps::Mapped>(made);
  program = std::move(dealt.program);
  return {true, std::move(dealt.diagnostics)};
}

Dealt replicateProgram(ir::Program &program, int copies, const std::vector<ir::Kernel> &kernels) {
  return take(maps::replicate(program, copies, kernels), program);
}

Dealt dealProgram(ir::Program &program, const std::vector<ir::Kernel> &kernels) {
  return take(maps::deal(program, kernels), program);
}

std::vector<std::string> kernelsForMaps(int copies, Tasks tasks) {
  if (copies > 1)
    return {"laset", "geadd", "tradd"};
  return tasks == Tasks::Octal ? std::vector<std::string>{"laset", "geadd"} : std::vector<std::string>();
}

} // namespace hetc::driver
