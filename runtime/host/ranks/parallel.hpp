// Filling and checking: as tasks, on each rank with the tiles that it has.
#pragma once

#include "runtime/host/base/interruption.hpp"
#include "runtime/host/ranks/ranks.hpp"

#include <tla/runtime/executor.hpp>

#include <functional>

namespace tla::host {

/// Who works: the threads of this rank, by an executor that knows no other; the ranks; and the threads of all ranks, by
/// the executor of the run, which all ranks call together.
struct Team {
  runtime::Executor &executor;
  Ranks &ranks;
  runtime::Executor &everybody;
};

/// Calls body(i, j) for every tile that has memory, in parallel. Rethrows the first failure as tla::Error; throws
/// Interrupted. `body` may change tile (i, j) and nothing else that others touch.
void forEachTile(runtime::Executor &executor, Storage &storage, const std::function<void(int, int)> &body);

/// Work on blocks of vectors: step (i, j) updates the blocks `first` and `second` (equal: one block).
struct BlockStep {
  int i, j, first, second;
};
/// Calls body(i, j) for every step that `list` emits; steps that share a block run one after the other in the order
/// emitted, the others in parallel: sums come out the same on any number of threads.
void forEachStep(runtime::Executor &executor, int blocks,
                 const std::function<void(const std::function<void(const BlockStep &)> &emit)> &list,
                 const std::function<void(int, int)> &body);

/// Throws where a run that fills or checks has failed, as forEachTile() does.
void requireFinished(const runtime::Outcome &outcome);

} // namespace tla::host
