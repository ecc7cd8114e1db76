#include "runtime/core/schedule/crew.hpp"

#include "runtime/core/schedule/host_device.hpp"

namespace tla::runtime {

void CrewSlots::Slot::close() {
  open_.store(false, std::memory_order_seq_cst);
  while (helpers_.load(std::memory_order_seq_cst) > 0)
    spinHint();
  taken_.store(false, std::memory_order_release);
}

/// Does one part of the present round. False: there is none left.
bool CrewSlots::Slot::doPart() {
  if (!hasPart(ticket_.load(std::memory_order_relaxed)))
    return false;
  const std::uint64_t ticket = ticket_.fetch_add(1, std::memory_order_acquire);
  if (!hasPart(ticket))
    return false;
  modes_.apply();
  part_(context_, static_cast<int>(ticket & mask));
  done_.fetch_add(1, std::memory_order_release);
  return true;
}

/// Nobody has a part of the round before, so part_ and what goes with it may change. Those that come too late raise the
/// ticket by one each: fewer than 2^20 threads do so between two rounds.
void CrewSlots::Slot::run(int count, kernels::Crew::Part part, void *context) {
  part_ = part;
  context_ = context;
  modes_ = FloatingPointModes::ofThisThread();
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t round = (ticket_.load(std::memory_order_relaxed) >> (nextBits + countBits)) + 1;
  ticket_.store(round << (nextBits + countBits) | static_cast<std::uint64_t>(count) << nextBits,
                std::memory_order_release);
  while (doPart())
    ;
  while (done_.load(std::memory_order_acquire) < count)
    spinHint();
}

CrewSlots::Slot *CrewSlots::take() {
  for (Slot &slot : slots_)
    if (slot.take())
      return &slot;
  return nullptr;
}

bool WorkerCrew::open() {
  slot_ = mayOpen_() ? slots_.take() : nullptr;
  if (!slot_)
    return false;
  slot_->open();
  slots_.noteOpen();
  host_.wakeSleepers();
  return true;
}

void WorkerCrew::close() {
  slots_.noteClosed();
  slot_->close();
  slot_ = nullptr;
}

} // namespace tla::runtime
