// The order of tasks, as text.
#pragma once

#include <tla/runtime/task_blocks.hpp>

#include <optional>
#include <string>

namespace tla::host {

/// The order that --order says; nothing where it is to be chosen.
using WantedOrder = std::optional<runtime::TaskBlocks>;

/// Reads "auto", "program", "3x4" or "3x4:steps". Throws UsageError on a mistake.
WantedOrder parseTaskOrder(const std::string &text);
/// "program", "3x4", "3x4:steps"
std::string nameOf(const runtime::TaskBlocks &order);

} // namespace tla::host
