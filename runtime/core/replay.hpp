// The generator that works for every program ([Song12] section 4): each node runs the whole sequential program and
// keeps what concerns it.
#pragma once

#include "runtime/core/protocol.hpp"

#include <functional>

namespace tla::runtime {

/// Runs `generate` three times: for the last writes, for the last uses of other nodes' tiles on this one, and for the
/// instances, which go to `generator`. The program must do the same each time.
void replay(const std::function<void(Generator &)> &generate, const Distribution &distribution, int self,
            TaskSink &generator);

} // namespace tla::runtime
