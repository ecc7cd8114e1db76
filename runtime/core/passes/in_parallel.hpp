// Work that has nothing to do with each other, on the threads that the process may use: counting, not running.
#pragma once

#include <functional>

namespace tla::runtime {

/// The numbers 0, ..., count - 1, each to one of some threads, in about this order: work(next), with which a thread
/// draws numbers until there are none (-1). Throws what one of them has thrown, the
/// lowest of those that came to it.
void drawInParallel(int count, const std::function<void(const std::function<int()> &next)> &work);

} // namespace tla::runtime
