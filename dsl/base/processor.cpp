#include "dsl/base/processor.hpp"

#include "dsl/base/streams.hpp"

namespace tla {

VectorLevel vectorLevel() {
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

const char *nameOf(VectorLevel level) {
  constexpr const char *names[] = {"SSE", "AVX", "AVX2", "AVX-512"};
  return names[static_cast<int>(level)];
}

std::string processorModel() {
  FileReader lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

} // namespace tla
