#include "dsl/base/processor.hpp"

#include "dsl/base/streams.hpp"

#include <algorithm>
#include <vector>

namespace tla {

namespace {

struct Feature {
  std::string_view name;
  bool isThere;
};

#if defined(__x86_64__)
#define TLA_FEATURE(name)                                                                                              \
  { name, __builtin_cpu_supports(name) != 0 }
std::vector<Feature> knownFeatures() {
  __builtin_cpu_init();
  return {TLA_FEATURE("x86-64-v2"),    TLA_FEATURE("x86-64-v3"),   TLA_FEATURE("x86-64-v4"),
          TLA_FEATURE("sse4.2"),       TLA_FEATURE("avx"),         TLA_FEATURE("avx2"),
          TLA_FEATURE("fma"),          TLA_FEATURE("bmi2"),        TLA_FEATURE("avx512f"),
          TLA_FEATURE("avx512bw"),     TLA_FEATURE("avx512dq"),    TLA_FEATURE("avx512vl"),
          TLA_FEATURE("avx512vbmi"),   TLA_FEATURE("avx512ifma"),  TLA_FEATURE("avx512vnni"),
          TLA_FEATURE("avx512bitalg"), TLA_FEATURE("avx512vbmi2"), TLA_FEATURE("avx512vpopcntdq"),
          TLA_FEATURE("avx512bf16"),   TLA_FEATURE("gfni"),        TLA_FEATURE("vpclmulqdq")};
}
#undef TLA_FEATURE
#else
std::vector<Feature> knownFeatures() { return {}; }
#endif

} // namespace

bool hasFeatures(std::string_view names) {
  const std::vector<Feature> known = knownFeatures();
  for (std::size_t end = 0; !names.empty(); names.remove_prefix(std::min(names.size(), end + 1))) {
    end = std::min(names.find(','), names.size());
    const auto found = std::ranges::find(known, names.substr(0, end), &Feature::name);
    if (found != known.end() && !found->isThere)
      return false;
  }
  return true;
}

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
