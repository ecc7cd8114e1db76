// The life of MPI in this process.
#pragma once

#include "runtime/interfaces/launch.hpp"
#include "runtime/transport/mpi/check.hpp"
#include "runtime/transport/mpi/turn.hpp"
#include "runtime/transport/transport.hpp"

namespace tla::runtime {

/// The tag of control messages, above those of data.
inline constexpr int controlTag = Transport::tags;

/// MPI's initialization, where the host has not done it already. It is finalized by who has initialized it.
class MpiLibrary {
public:
  MpiLibrary();
  ~MpiLibrary();
  MpiLibrary(const MpiLibrary &) = delete;
  MpiLibrary &operator=(const MpiLibrary &) = delete;
  /// Whether the host has not initialized it, and so makes no calls of its own.
  bool isOurs() const { return initialized_; }

private:
  bool initialized_ = false; ///< whether we have initialized it
};

/// A communicator of ours over the ranks of another one; it returns errors.
class MpiCommunicator {
public:
  explicit MpiCommunicator(MPI_Comm of);
  ~MpiCommunicator();
  MpiCommunicator(const MpiCommunicator &) = delete;
  MpiCommunicator &operator=(const MpiCommunicator &) = delete;
  operator MPI_Comm() const { return handle_; }

private:
  MPI_Comm handle_;
};

/// Throws tla::Error when these are not as many ranks as the launcher started, with this one's number.
void expectRanksOf(const ProcessLaunch &launch);
/// Throws tla::Error when MPI lacks the tags of Transport and `controlTag`.
void expectTags();
/// The host's communicator with this Fortran handle. Throws tla::Error when there is none between one group of ranks.
MPI_Comm communicatorOfHost(int handle);

/// Whether each rank may read the next one's memory (process_vm_readv), as Open MPI and others do for messages within a
/// machine: the receiver copies, and the sender has no part in it. A collective.
bool ranksReadEachOther(MPI_Comm communicator);

/// A barrier that leaves the core to others: polls, with pauses that grow to a millisecond, in which `turn` is free.
void waitForAllRanks(MPI_Comm communicator, Turn &turn);
/// Waits for a collective to which all ranks have come: polls without pauses, and yields the core.
void complete(MPI_Request request, Turn &turn);
/// The collective `function` of MPI, one that returns at once, to its end.
template <typename Function, typename... Arguments>
void runCollective(Turn &turn, const char *name, Function function, const Arguments &...arguments) {
  MPI_Request request;
  {
    const std::lock_guard hold(turn);
    checkMpi(function(arguments..., &request), name);
  }
  complete(request, turn);
}

} // namespace tla::runtime

#define TLA_MPI_COLLECTIVE(turn, function, ...) ::tla::runtime::runCollective(turn, #function, function, __VA_ARGS__)
