#include "c/blas_guard.hpp"

#include <mutex>

namespace hetc {
namespace {

struct Shared {
  std::mutex mutex;
  int guards = 0;
  int hostThreads = 0;
};

Shared &shared() {
  static Shared &state = *new Shared; // others may still be calling when the process ends
  return state;
}

} // namespace

BlasGuard::BlasGuard() {
  const tla::kernels::BlasThreads &threads = kernels().blasThreads;
  const std::lock_guard lock(shared().mutex);
  if (shared().guards++ == 0 && threads.set) {
    shared().hostThreads = threads.get();
    threads.set(1);
  }
}

BlasGuard::~BlasGuard() {
  const tla::kernels::BlasThreads &threads = kernels().blasThreads;
  const std::lock_guard lock(shared().mutex);
  if (--shared().guards == 0 && threads.set)
    threads.set(shared().hostThreads);
}

const tla::kernels::KernelStatus &BlasGuard::kernels() {
  static const auto &status =
      *new tla::kernels::KernelStatus(tla::kernels::installKernels("auto", tla::kernels::Process::Shared));
  return status;
}

} // namespace hetc
