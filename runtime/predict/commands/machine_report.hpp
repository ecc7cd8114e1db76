// What 'hetc cost --machine' says of the machine.
#pragma once

#include "runtime/predict/commands/machine_cost.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace tla::host {

/// A line for each kind of element, their sums; the last one's time.
std::string machineTable(const MachineCost &cost);
nlohmann::ordered_json machineJson(const MachineCost &cost);
/// "1.042", the time here in those of the bound; "-": there is nothing to do.
std::string ratioText(const MachineCost &cost);

} // namespace tla::host
