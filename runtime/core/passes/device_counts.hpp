// What the accelerators of one node will do and what will be copied for it, counted without running.
#pragma once

#include "runtime/core/places/node_places.hpp"
#include "runtime/interfaces/cost.hpp"

#include <tla/runtime/generator.hpp>

namespace tla::runtime {

/// Whether Loomis & Whitney bound how many of its operations some words allow.
inline bool isUpdate(const TaskClass &taskClass) { return !taskClass.userKernel && !taskClass.memoryBound; }

/// Counts what each accelerator will do, exactly as Statistics::devices will say after the run. `stream` gives the
/// node's tasks, sends and receives to the sink; it is called twice. `distribution`: null on one rank. Throws
/// UsageError when an accelerator's memory is less than one task needs. `seconds`: CostOptions::deviceSeconds.
std::vector<DeviceCost> countDevices(const std::function<void(TaskSink &)> &stream, const NodePlaces &places,
                                     const Distribution *distribution, int rank,
                                     const decltype(CostOptions::deviceSeconds) &seconds = {});

} // namespace tla::runtime
