// What the commands that execute no kernel have in common: cost, sim.
#pragma once

#include "runtime/host/plan/plan.hpp"

#include <string>
#include <vector>

namespace tla::host {

inline constexpr int mostNodes = 1 << 16;

/// The number that an option has, within bounds. Throws UsageError.
int numberOf(const std::string &option, const std::string &text, long low, long high);

/// A distribution, or the best of a family, "2dbc", "sbc" or "auto", for so many nodes, 0: not given. Throws
/// UsageError.
Distribution resolveDistribution(const std::string &text, const Problem &problem, int nodes);

/// As a run of this problem on one node with these settings finds it: tile size, cut and shares.
Plan planCounting(const Problem &problem, const Settings &settings,
                  const std::vector<runtime::AcceleratorProperties> &devices);

/// The text where people read, the JSON where --json says.
void writeReport(const Settings &settings, const std::string &text, const std::string &json);

} // namespace tla::host
