// One problem on one number of nodes: what it would take.
#pragma once

#include "runtime/predict/commands/counting.hpp"
#include "runtime/predict/commands/plan_report.hpp"

namespace tla::host {

/// Whether the time of a run is found, too, where the settings have a machine. It takes longer than all else.
enum class Timed : bool { No, Yes };

/// Plans a run on so many nodes; without its time also without what its devices do. Throws UsageError, Error.
PlanRecord planProgram(const runtime::Algorithm &algorithm, const Settings &settings, const WantedOwners &owners,
                       int nodes, Timed timed);

} // namespace tla::host
