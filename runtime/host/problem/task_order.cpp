#include "runtime/host/problem/task_order.hpp"

#include "dsl/base/text.hpp"

#include <tla/runtime/error.hpp>

namespace tla::host {

static constexpr std::string_view steps = ":steps";

WantedOrder parseTaskOrder(const std::string &text) {
  if (text == "auto")
    return std::nullopt;
  if (text == "program")
    return runtime::TaskBlocks();
  const bool bySteps = text.ends_with(steps);
  const std::string blocks = text.substr(0, text.size() - (bySteps ? steps.size() : 0));
  const std::size_t by = blocks.find('x');
  const auto rows = parseInteger(blocks.substr(0, by)),
             columns = parseInteger(by == blocks.npos ? "" : blocks.substr(by + 1));
  constexpr long most = 1 << 10;
  if (rows && columns && *rows >= 1 && *columns >= 1 && *rows <= most && *columns <= most)
    return runtime::TaskBlocks{
        .rows = static_cast<int>(*rows), .columns = static_cast<int>(*columns), .bySteps = bySteps};
  throw UsageError("'" + text + "' is no order of tasks; it is auto, program, or up to " + std::to_string(most) +
                   " rows and columns of blocks, as 3x4 or 3x4:steps");
}

std::string nameOf(const runtime::TaskBlocks &order) {
  if (order.isProgramOrder())
    return "program";
  return std::to_string(order.rows) + "x" + std::to_string(order.columns) + (order.bySteps ? std::string(steps) : "");
}

} // namespace tla::host
