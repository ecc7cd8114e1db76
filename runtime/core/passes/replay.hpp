// The node's program that works for every program ([Song12] section 4): each node runs the whole sequential program and
// keeps what concerns it.
#pragma once

#include "runtime/core/passes/node_program.hpp"

namespace tla::runtime {

/// Runs `generate` once, for the last writes, and once in each call of the result, which borrows the arguments. The
/// program must do the same each time. `progress`: who is to know how far its loops come, or null.
NodeProgram replay(const std::function<void(Generator &)> &generate, const Distribution &distribution, int self,
                   LoopProgress *progress = nullptr);

} // namespace tla::runtime
