#include "kernels/blas_pin.hpp"

#include "dsl/base/text.hpp"

namespace tla::kernels {
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
} // namespace

std::string weakPinWarning(const char *coreType, VectorLevel cpu) {
  const std::string pinned = lowerCase(coreType ? coreType : "");
  for (const CoreType &known : coreTypes)
    if (pinned == known.name && known.level < cpu)
      return std::string("OPENBLAS_CORETYPE=") + coreType + " pins " + nameOf(known.level) +
             " kernels, but this CPU has " + nameOf(cpu) + "; unset it for full speed";
  return {};
}

bool isOutdated(const std::string &coreType, VectorLevel cpu) {
  const std::string name = lowerCase(coreType);
  for (const CoreType &known : coreTypes)
    if (name == known.name)
      return known.level < VectorLevel::Avx2 && cpu >= VectorLevel::Avx2;
  return false;
}

} // namespace tla::kernels
