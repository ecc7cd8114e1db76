// The processor that this program runs on.
#pragma once

#include <string>

namespace tla {

/// Vector extensions, in rising order of speed.
enum class VectorLevel { Sse, Avx, Avx2, Avx512 };

/// What the processor has: Avx2 with fused multiply-add, Avx512 with what servers have of it (F, VL, DQ).
VectorLevel vectorLevel();
/// "AVX2"
const char *nameOf(VectorLevel level);

/// "Intel(R) Xeon(R) ...", as the system says; "unknown processor" where it does not.
std::string processorModel();

} // namespace tla
