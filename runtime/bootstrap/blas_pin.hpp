// A trap seen in the field: OPENBLAS_CORETYPE set to a CPU older than the one the program runs on.
#pragma once

#include <string>

namespace tla::bootstrap {

/// Vector extensions, in rising order of speed.
enum class VectorLevel { Sse, Avx, Avx2, Avx512 };

/// What the CPU has.
VectorLevel cpuVectorLevel();
/// "Intel(R) Xeon(R) ...", where the system says; else what vectors the processor has.
std::string processorName();
/// A warning when the core type that the environment pins uses less than the CPU has; empty otherwise, also for
/// core types this table does not know. coreType: the value of OPENBLAS_CORETYPE, may be null.
std::string weakPinWarning(const char *coreType, VectorLevel cpu);

} // namespace tla::bootstrap
