#include "lapack/environment.hpp"

#include <cstdio>
#include <cstdlib>

namespace tla::lapack {
namespace {

std::optional<int> number(const char *name, int low, int high) {
  const char *const text = std::getenv(name);
  if (!text || !*text)
    return std::nullopt;
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end == '\0' && value >= low && value <= high)
    return static_cast<int>(value);
  std::fprintf(stderr, "hetc: %s=%s is not a number from %d to %d; the default is used\n", name, text, low, high);
  return std::nullopt;
}

Environment read() {
  const char *const file = std::getenv("HETC_LAPACK_REPORT");
  return {.nb = number("HETC_NB", 1, 1 << 16),
          .minN = number("HETC_MIN_N", 0, 1 << 30),
          .threads = number("HETC_THREADS", 1, 4096),
          .verbose = number("HETC_VERBOSE", 0, 1).value_or(0) == 1,
          .report = file ? file : ""};
}

} // namespace

const Environment &environment() {
  static const Environment &values = *new Environment(read()); // is looked at when the process ends, too
  return values;
}

} // namespace tla::lapack
