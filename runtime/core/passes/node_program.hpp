// What one node of a run generates: its own tasks, its ends of all messages, and when other nodes' tiles go.
#pragma once

#include "runtime/core/passes/protocol.hpp"

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/executor.hpp>

#include <functional>

namespace tla::runtime {

class LoopProgress;

/// Gives a node's tasks, sends and receives in program order, and the program's own releases of tiles that live there;
/// whatever else it releases means nothing. Each call gives the same.
using NodeProgram = std::function<void(TaskSink &)>;

/// The program of node `self`: its own loops where the algorithm has such for the distribution, else replay(). Borrows
/// its arguments. `progress`: who is to know how far the loops come, or null.
NodeProgram nodeProgram(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                        int self, LoopProgress *progress = nullptr);

/// A node's instances with their releases: a workspace's tile, and a copy of another node's, is released directly
/// behind the last instance that uses its content here. The program runs twice, first dry to learn which these are;
/// then for `generator`. Returns what the node sends and receives, which the dry pass has counted: a run that was not
/// stopped meanwhile must count the same.
TransferCounts generateInstances(const NodeProgram &program, const Distribution &distribution, int self,
                                 TaskSink &generator);

} // namespace tla::runtime
