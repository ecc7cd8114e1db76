// The processor that this program runs on.
#pragma once

#include <string>
#include <string_view>

namespace tla {

/// Vector extensions, in rising order of speed.
enum class VectorLevel { Sse, Avx, Avx2, Avx512 };

/// What the processor has: Avx2 with fused multiply-add, Avx512 with what servers have of it (F, VL, DQ).
VectorLevel vectorLevel();
/// "AVX2"
const char *nameOf(VectorLevel level);

/// Whether the processor and the operating system have all of these, by the names that GCC and Clang have for them,
/// separated by commas: "avx2,fma", "x86-64-v3". A name that is not known here counts as had.
bool hasFeatures(std::string_view names);

/// "Intel(R) Xeon(R) ...", as the system says; "unknown processor" where it does not.
std::string processorModel();

} // namespace tla
