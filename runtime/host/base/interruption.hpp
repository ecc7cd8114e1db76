// A signal that ends the run, as what computes for long sees it.
#pragma once

#include <atomic>

namespace tla::host {

/// Thrown where a run ends by a signal.
struct Interrupted {};

/// The process has been asked to end. The thread that takes signals (Supervisor) writes it, any thread reads it;
/// nothing else is told through it, so no order with other memory is needed.
inline std::atomic<bool> interruptionWanted = false;

/// Every loop of the host that may run for longer than a moment calls this as it goes, tasks of an executor excepted:
/// the executor is interrupted itself.
inline void pollInterruption() {
  if (interruptionWanted.load(std::memory_order_relaxed))
    throw Interrupted{};
}

} // namespace tla::host
