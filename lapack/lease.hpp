// The process's one executor, and who may use it when.
#pragma once

#include "lapack/next_library.hpp"
#include "lapack/tile_size.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/executor.hpp>

namespace tla::lapack {

/// The right to compute on tiles, held for one call. While it is held, the BLAS under the kernels computes each of its
/// calls on one thread; what the host had set comes back with the end of the lease.
///
/// Nothing is started before the first lease. Threads sleep between leases. A fork() waits for the end of the lease,
/// and new leases wait for the fork: in the middle of a kernel a lock of the BLAS may be held, which nobody would
/// release in the child. The child begins anew: it has none of the threads, so it forgets the executor as it stands and
/// makes one when it needs one.
class Lease {
public:
  /// `next`: what the call goes on to where it is refused; null: nothing.
  explicit Lease(const NextLibrary *next);
  ~Lease();
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;

  /// Null when the lease was granted; else why not: the call belongs to the next library.
  const char *refusal() const { return refusal_; }
  // Only when granted.
  runtime::Executor &executor() const;
  int tileSize(const Work &work) const;

private:
  struct State;
  static State &state();
  const char *obtain(const NextLibrary *next);
  bool inParallelRegion();
  const char *prepareExecutor(const NextLibrary *next);

  State *state_ = nullptr; ///< locked, when granted
  const char *refusal_;
};

} // namespace tla::lapack
