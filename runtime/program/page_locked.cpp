#include "runtime/program/page_locked.hpp"

#include <algorithm>

namespace tla::host {

/// Bytes. Smaller matrices share their pages with others, and are copied in no time.
static constexpr std::size_t leastLocked = 64 << 10;

PageLocked::~PageLocked() {
  for (void *const memory : locked_)
    accelerator_->unpin(memory);
}

void PageLocked::lock(const Problem &problem, const std::vector<std::unique_ptr<runtime::Accelerator>> &accelerators) {
  const auto first = std::find_if(accelerators.begin(), accelerators.end(),
                                  [](const auto &accelerator) { return accelerator->properties().pins; });
  if (first == accelerators.end() || accelerator_)
    return;
  accelerator_ = first->get();
  for (const ProblemMatrix &matrix : problem.matrices) {
    const Storage &storage = **matrix.storage;
    const auto owns = [&](int i, int j) { return problem.placement.owns(storage, i, j); };
    const std::size_t bytes = storage.bytes(owns);
    if (!storage.memory() || bytes < leastLocked)
      continue;
    locked_.reserve(locked_.size() + 1);
    const std::string obstacle = accelerator_->pin(storage.memory(), bytes);
    if (obstacle.empty())
      locked_.push_back(storage.memory());
    else if (obstacle_.empty())
      obstacle_ = obstacle;
  }
}

} // namespace tla::host
