#include "runtime/predict/clock/one_core.hpp"

#if defined(__linux__)
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <set>

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#endif

namespace tla::runtime {

#if defined(__linux__)

namespace {
std::mutex mutex;
std::set<int> taken; ///< cores taken by groups; under the mutex

/// Tells groups of other processes that this core is taken: by a socket of an abstract name, which goes with the
/// process however that ends. -1: another one has it, or the system has no such names.
int claim(int cpu) {
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return -1;
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  const int length = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hetc-core-%d", cpu);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (bind(descriptor, reinterpret_cast<const sockaddr *>(&name), bytes) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}
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
  // The present one, else another that no process has; if all are taken, one that no group of this process has.
  int cpu = sched_getcpu();
  if (!isFree(cpu) || (claim_ = claim(cpu)) < 0)
    for (cpu = 0; cpu < CPU_SETSIZE && (!isFree(cpu) || (claim_ = claim(cpu)) < 0);)
      ++cpu;
  if (cpu == CPU_SETSIZE && !isFree(cpu = sched_getcpu()))
    for (cpu = 0; cpu < CPU_SETSIZE && !isFree(cpu);)
      ++cpu;
  cpu_set_t one;
  CPU_ZERO(&one);
  if (cpu < CPU_SETSIZE)
    CPU_SET(cpu, &one);
  if (cpu == CPU_SETSIZE || sched_setaffinity(0, sizeof one, &one) != 0) {
    if (claim_ >= 0)
      close(claim_);
    return;
  }
  taken.insert(core_ = cpu);
  before_ = std::move(mask);
}

OneCore::~OneCore() {
  if (!before_)
    return;
  sched_setaffinity(0, sizeof before_->cpus, &before_->cpus);
  if (claim_ >= 0)
    close(claim_);
  const std::lock_guard lock(mutex);
  taken.erase(core_);
}

#else

struct OneCore::Mask {};
OneCore::OneCore() = default;
OneCore::~OneCore() = default;

#endif

} // namespace tla::runtime
