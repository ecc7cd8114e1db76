// The processor that this program runs on.
#pragma once

#include <string>
#include <string_view>

namespace tla {

/// Vector extensions, in rising order of speed.
enum class VectorLevel { Sse, Avx, Avx2, Avx512 };

/// The vector extensions of this processor: Avx2 with fused multiply-add, Avx512 with the parts that servers have (F,
/// VL, DQ).
VectorLevel vectorLevel();
/// The name of a level: "AVX2".
const char *nameOf(VectorLevel level);

/// Whether the processor and the operating system have all of these, by the names that GCC and Clang have for them,
/// separated by commas: "avx2,fma", "x86-64-v3". A name that is not known here counts as had.
bool hasFeatures(std::string_view names);

/// The processor's model as the system names it, "Intel(R) Xeon(R) ..."; "unknown processor" where it names none.
std::string processorModel();

} // namespace tla
