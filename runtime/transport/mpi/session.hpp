// The life of MPI in this process.
#pragma once

#include "runtime/transport/mpi/check.hpp"
#include "runtime/transport/transport.hpp"
#include <tla/runtime/launch.hpp>

namespace tla::runtime {

/// Behind those of data.
inline constexpr int controlTag = Transport::tags;

/// MPI's initialization, where the host has not done it already. It is finalized by who has initialized it.
class MpiLibrary {
public:
  MpiLibrary();
  ~MpiLibrary();
  MpiLibrary(const MpiLibrary &) = delete;
  MpiLibrary &operator=(const MpiLibrary &) = delete;

private:
  bool initialized_ = false; ///< by us
};

/// A communicator of ours over all ranks; it returns errors.
class MpiCommunicator {
public:
  MpiCommunicator();
  ~MpiCommunicator();
  MpiCommunicator(const MpiCommunicator &) = delete;
  MpiCommunicator &operator=(const MpiCommunicator &) = delete;
  operator MPI_Comm() const { return handle_; }

private:
  MPI_Comm handle_;
};

/// Throws tla::Error when MPI lacks what MpiTransport needs: as many ranks as the launcher started, this one's number,
/// and all tags of Transport and `controlTag`.
void expectSuitableMpi(const Launch &launch);

/// Whether each rank may read the next one's memory (process_vm_readv), as Open MPI and others do for messages within a
/// machine: the receiver copies, and the sender has no part in it. A collective.
bool ranksReadEachOther(MPI_Comm communicator);

/// A barrier that leaves the core to others: polls, with pauses that grow to a millisecond.
void waitForAllRanks(MPI_Comm communicator);

} // namespace tla::runtime
