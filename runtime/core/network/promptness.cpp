#include "runtime/core/network/promptness.hpp"

#if defined(__linux__)
#include <cstdint>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tla::runtime {

#if defined(__linux__)
namespace {
/// struct sched_attr of sched_setattr(2), which glibc has only since 2.41.
struct SchedulingAttributes {
  std::uint32_t size, policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime, deadline, period;
};
} // namespace

void askForPromptness() {
  prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0); // nanoseconds
  SchedulingAttributes attributes{};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 || attributes.policy != SCHED_OTHER)
    return;
  attributes.runtime = 100'000; // the slice in nanoseconds, the least there is
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}
#else
void askForPromptness() {}
#endif

} // namespace tla::runtime
