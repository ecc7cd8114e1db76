#include "lapack/thread_limit.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tla::lapack {

int allowedThreads(int processors, std::initializer_list<BlasLimit> limits, bool isSetByEnvironment) {
  int threads = processors;
  for (const BlasLimit &limit : limits) {
    const bool isOfBuild = limit.threads == limit.builtWith && !isSetByEnvironment;
    if (limit.threads > 0 && !isOfBuild)
      threads = std::min(threads, limit.threads);
  }
  return threads;
}

int threadsOfBuild(const std::string &configuration) {
  constexpr std::string_view name = "MAX_THREADS=";
  const std::size_t begin = configuration.find(name);
  return begin == std::string::npos ? 0 : std::atoi(configuration.c_str() + begin + name.size());
}

bool areThreadsSetByEnvironment() {
  for (const char *const name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const char *const value = std::getenv(name); value && *value)
      return true;
  return false;
}

} // namespace tla::lapack
