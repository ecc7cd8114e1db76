// Ranks inside one process: for tests, and to see a protocol's mistakes before a network does.
#pragma once

#include "runtime/transport/transport.hpp"

#include <tla/runtime/error.hpp>

#include <chrono>
#include <memory>

namespace tla::runtime {

/// All ranks of a run in one process. Different endpoints may be used by different threads at the same time; each keeps
/// the obligations of Transport by itself, and takes callers at their word: data is copied as late as the contract
/// allows, so that a sanitizer sees a buffer that is touched too soon.
class LocalNetwork {
public:
  struct Options {
    /// Each step of a message (it comes in, its bytes are there, its sender knows) takes a random time up to this; so
    /// data messages overtake one another. 0: everything happens at once, in order.
    std::chrono::microseconds delay{0};
    bool promptControl = false; ///< whether control messages come in at once
    unsigned seed = 1;
    /// Called by abort(), with the rank that aborts, before it throws.
    std::function<void(int rank, int exitCode)> onAbort = {};
  };

  /// Thrown by abort(), and from then on by every function of every endpoint, and every collective that waits: in one
  /// process no other process can be ended.
  class Aborted : public Error {
  public:
    explicit Aborted(int exitCode) : Error("the ranks have aborted"), exitCode(exitCode) {}
    const int exitCode;
  };

  explicit LocalNetwork(int ranks);
  LocalNetwork(int ranks, Options options);
  ~LocalNetwork();
  LocalNetwork(const LocalNetwork &) = delete;
  LocalNetwork &operator=(const LocalNetwork &) = delete;

  Transport &endpoint(int rank);

  /// The rank is lost, as a machine that loses its power: nothing from it or to it arrives any more, nothing of it
  /// finishes. Collectives then wait until abort(). From any thread.
  void kill(int rank);

private:
  class Endpoint;
  class Shared;
  std::unique_ptr<Shared> shared_;
};

} // namespace tla::runtime
