// Calls that need much stack.
#pragma once

#include <cstddef>
#include <functional>

namespace tla {

/// Calls body() on a thread with so much stack, and waits for its end. Where the system starts no such thread, as at a
/// limit of processes or of address space, the caller's own has to do. `body` must not throw.
void callWithStack(std::size_t bytes, const std::function<void()> &body);

} // namespace tla
