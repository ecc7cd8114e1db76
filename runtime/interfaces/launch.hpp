// How this process was started: alone, or as one of several ranks.
#pragma once

#include <memory>
#include <string>

namespace tla::runtime {

class Transport; // runtime/transport/transport.hpp

struct ProcessLaunch {
  int rank = 0, size = 1;
  std::string launcher; ///< name of the launcher, for messages: "mpirun (Open MPI)"; empty when there is none
  /// This rank's number among the ranks on this machine, and how many these are. They share its cores, unless the
  /// launcher has bound each to its own. 0 of 1 where the launcher does not say.
  int localRank = 0, localSize = 1;
  /// How long a rank may show no sign of life, in whatever phase of the program (runtime/transport/transport.hpp, 12);
  /// 0: for ever.
  double watchdogSeconds = 60;
};

/// Reads the environment that mpirun, mpiexec and srun give to their processes. A program that was started without one
/// of them never touches MPI. Throws UsageError when the variables contradict each other.
ProcessLaunch detectLaunch();

/// The transport to the other ranks, null when there is only this one. Loads libtla_mpi.so, and MPI with it, the first
/// time. Throws tla::Error that says what to install, or which launcher does not fit the MPI library. Once per process.
std::unique_ptr<Transport> connect(const ProcessLaunch &launch);

/// The transport among the ranks of a communicator of the host's own MPI program, given as MPI's Fortran handle of it
/// (MPI_Comm_c2f); its messages are apart from the host's. Collective over the communicator, and so is the transport's
/// destructor, which comes before MPI_Finalize(). Throws tla::Error when MPI cannot be used so: not initialized, or
/// with less than MPI_THREAD_SERIALIZED, another MPI library than libtla_mpi.so's, an intercommunicator.
std::unique_ptr<Transport> join(int communicator);

/// The reason why several ranks cannot run here: libtla_mpi.so cannot be loaded, and what to install. Empty when they
/// can.
std::string whyNoTransport();

/// Waits to be ended by the launcher, in a rank that fails as all ranks of its machine do and leaves it to the first of
/// them to say why: the launcher ends all ranks when one fails, and must not end the first before it has spoken.
/// Returns after 10 s where the launcher does no such thing.
void awaitEnd();

} // namespace tla::runtime
