// A trap seen in the field: OPENBLAS_CORETYPE set to a CPU older than the one the program runs on.
#pragma once

#include "dsl/base/processor.hpp"

#include <string>

namespace tla::kernels {

/// A warning when the core type that the environment pins uses less than the CPU has; empty otherwise, also for core
/// types that are not known here. `coreType`: the value of OPENBLAS_CORETYPE, may be null.
std::string weakPinWarning(const char *coreType, VectorLevel cpu);

/// Whether a core type uses less than AVX2 on a CPU that has it. OpenBLAS takes a CPU that it does not know for one of
/// twenty years ago: 0.3.21 a Xeon of 2023 under a hypervisor that hides its name, for a Prescott.
bool isOutdated(const std::string &coreType, VectorLevel cpu);

} // namespace tla::kernels
