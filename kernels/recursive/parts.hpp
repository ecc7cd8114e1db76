// Loops of a kernel whose steps others may take (kernels/crew.hpp). Who takes which changes nothing: each step does the
// same whoever does it, and none depends on another.
#pragma once

#include "kernels/crew.hpp"

#include <atomic>
#include <new>

namespace tla::kernels::recursive {

/// How a module asks for the crew of a thread: the program's threadCrew(). Null: there is none.
inline Crew *(*crewOfThread)() = nullptr;

/// For the length of a kernel with so many operations others may help.
class CrewScope {
public:
  explicit CrewScope(double operations) {
    constexpr double least = 1e6; // some tens of microseconds: nobody would come in time
    Crew *const crew = operations >= least && crewOfThread ? crewOfThread() : nullptr;
    crew_ = crew && crew->open() ? crew : nullptr;
  }
  CrewScope(const CrewScope &) = delete;
  CrewScope &operator=(const CrewScope &) = delete;
  ~CrewScope() {
    if (crew_)
      crew_->close();
  }
  /// The crew, if somebody has come to help; otherwise null.
  Crew *crew() const { return crew_ && crew_->hasHelpers() ? crew_ : nullptr; }

private:
  Crew *crew_;
};

/// step(0), ..., step(count - 1), with the crew's help where there is one. Throws std::bad_alloc when a step has.
template <typename Step> void inParts(Crew *crew, int count, Step &&step) {
  if (!crew || count < 2) {
    for (int i = 0; i < count; ++i)
      step(i);
    return;
  }
  struct Context {
    Step &step;
    std::atomic<bool> failed{false};
  } context{step};
  crew->run(
      count,
      [](void *pointer, int i) {
        Context &mine = *static_cast<Context *>(pointer);
        try {
          mine.step(i);
        } catch (...) { // nothing but memory for packed operands can be missing
          mine.failed.store(true, std::memory_order_relaxed);
        }
      },
      &context);
  if (context.failed.load(std::memory_order_relaxed))
    throw std::bad_alloc();
}

/// Where part `number` of `parts` begins when `size` is cut evenly.
constexpr int partBegin(int size, int parts, int number) {
  return static_cast<int>(static_cast<long>(size) * number / parts);
}

} // namespace tla::kernels::recursive
