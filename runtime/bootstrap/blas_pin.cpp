#include "runtime/bootstrap/blas_pin.hpp"

#include "runtime/bootstrap/text.hpp"

#include <fstream>

namespace tla::bootstrap {
namespace {
struct CoreType {
  const char *name; // lower case
  VectorLevel level;
};
// The core types of OpenBLAS's dynamic dispatch on x86-64 (driver/others/dynamic.c).
constexpr CoreType coreTypes[] = {
    {"prescott", VectorLevel::Sse},    {"core2", VectorLevel::Sse},         {"penryn", VectorLevel::Sse},
    {"dunnington", VectorLevel::Sse},  {"nehalem", VectorLevel::Sse},       {"athlon", VectorLevel::Sse},
    {"opteron", VectorLevel::Sse},     {"barcelona", VectorLevel::Sse},     {"bobcat", VectorLevel::Sse},
    {"atom", VectorLevel::Sse},        {"nano", VectorLevel::Sse},          {"sandybridge", VectorLevel::Avx},
    {"bulldozer", VectorLevel::Avx},   {"piledriver", VectorLevel::Avx},    {"steamroller", VectorLevel::Avx},
    {"excavator", VectorLevel::Avx2},  {"haswell", VectorLevel::Avx2},      {"zen", VectorLevel::Avx2},
    {"skylakex", VectorLevel::Avx512}, {"cooperlake", VectorLevel::Avx512}, {"sapphirerapids", VectorLevel::Avx512},
};

const char *levelName(VectorLevel level) {
  constexpr const char *names[] = {"SSE", "AVX", "AVX2", "AVX-512"};
  return names[static_cast<int>(level)];
}
} // namespace

VectorLevel cpuVectorLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return VectorLevel::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return VectorLevel::Avx2;
  if (__builtin_cpu_supports("avx"))
    return VectorLevel::Avx;
#endif
  return VectorLevel::Sse;
}

std::string processorName() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return format("vector level %d", static_cast<int>(cpuVectorLevel()));
}

std::string weakPinWarning(const char *coreType, VectorLevel cpu) {
  const std::string pinned = lowerCase(coreType ? coreType : "");
  for (const CoreType &known : coreTypes)
    if (pinned == known.name && known.level < cpu)
      return std::string("OPENBLAS_CORETYPE=") + coreType + " pins " + levelName(known.level) +
             " kernels, but this CPU has " + levelName(cpu) + "; unset it for full speed";
  return {};
}

} // namespace tla::bootstrap
