#include "runtime/virtual/one_core.hpp"

#if defined(__linux__)
#include <mutex>
#include <sched.h>
#include <set>
#endif

namespace tla::runtime {

#if defined(__linux__)

namespace {
std::mutex mutex;
std::set<int> taken; ///< by groups; under the mutex
} // namespace

struct OneCore::Mask {
  cpu_set_t cpus;
};

OneCore::OneCore() {
  auto mask = std::make_unique<Mask>();
  if (sched_getaffinity(0, sizeof mask->cpus, &mask->cpus) != 0) // more CPUs than it has room for
    return;
  const std::lock_guard lock(mutex);
  const auto isFree = [&](int cpu) { return cpu >= 0 && CPU_ISSET(cpu, &mask->cpus) && !taken.count(cpu); };
  int cpu = sched_getcpu();
  if (!isFree(cpu))
    for (cpu = 0; cpu < CPU_SETSIZE && !isFree(cpu);)
      ++cpu;
  cpu_set_t one;
  CPU_ZERO(&one);
  if (cpu < CPU_SETSIZE)
    CPU_SET(cpu, &one);
  if (cpu == CPU_SETSIZE || sched_setaffinity(0, sizeof one, &one) != 0)
    return;
  taken.insert(core_ = cpu);
  before_ = std::move(mask);
}

OneCore::~OneCore() {
  if (!before_)
    return;
  sched_setaffinity(0, sizeof before_->cpus, &before_->cpus);
  const std::lock_guard lock(mutex);
  taken.erase(core_);
}

#else

struct OneCore::Mask {};
OneCore::OneCore() = default;
OneCore::~OneCore() = default;

#endif

} // namespace tla::runtime
