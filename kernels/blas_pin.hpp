// A trap seen in the field: OPENBLAS_CORETYPE set to a CPU older than the one the program runs on.
#pragma once

#include "dsl/base/processor.hpp"

#include <string>

namespace tla::kernels {

/// A warning when the core type that the environment pins uses less than the CPU has; empty otherwise, also for core
/// types that are not known here. `coreType`: the value of OPENBLAS_CORETYPE, may be null.
std::string weakPinWarning(const char *coreType, VectorLevel cpu);

} // namespace tla::kernels
