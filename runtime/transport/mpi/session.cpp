#include "runtime/transport/mpi/session.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/uio.h>
#include <unistd.h>
#endif

namespace tla::runtime {

namespace {
/// "Open MPI v4.1.4, ..." up to the first comma or line end.
std::string libraryName() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, length);
  return version.substr(0, version.find_first_of(",\n"));
}
} // namespace

MpiLibrary::MpiLibrary() {
  int initialized = 0, threads = 0;
  TLA_MPI_CHECK(MPI_Initialized(&initialized));
  if (initialized)
    TLA_MPI_CHECK(MPI_Query_thread(&threads));
  else
    TLA_MPI_CHECK(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads));
  initialized_ = !initialized;
  if (threads >= MPI_THREAD_SERIALIZED)
    return;
  if (initialized_)
    MPI_Finalize();
  throw Error(libraryName() + " is used by one thread only here: MPI_THREAD_SERIALIZED is needed" +
              (initialized ? ", which is for the host's MPI_Init_thread to ask for" : ""));
}

MpiLibrary::~MpiLibrary() {
  if (initialized_)
    MPI_Finalize();
}

MpiCommunicator::MpiCommunicator(MPI_Comm of) {
  TLA_MPI_CHECK(MPI_Comm_dup(of, &handle_));
  TLA_MPI_CHECK(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN));
}

MpiCommunicator::~MpiCommunicator() { MPI_Comm_free(&handle_); }

void expectRanksOf(const ProcessLaunch &launch) {
  int rank = 0, size = 0;
  TLA_MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  TLA_MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  if (rank != launch.rank || size != launch.size)
    throw Error(launch.launcher + " started this process as rank " + std::to_string(launch.rank) + " of " +
                std::to_string(launch.size) + ", but for " + libraryName() + " it is rank " + std::to_string(rank) +
                " of " + std::to_string(size) + ": use the launcher of this MPI library (with srun, its --mpi)");
}

void expectTags() {
  int *bound = nullptr, found = 0;
  TLA_MPI_CHECK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found));
  if (!found || *bound < controlTag)
    throw Error(libraryName() + " has tags up to " + std::to_string(found ? *bound : 32767) + "; tags up to " +
                std::to_string(controlTag) + " are needed");
}

MPI_Comm communicatorOfHost(int handle) {
  int initialized = 0, finalized = 0, connectsTwo = 0;
  TLA_MPI_CHECK(MPI_Initialized(&initialized));
  if (!initialized)
    throw Error(libraryName() + " is not initialized in this process: MPI_Init_thread comes first, and of the same MPI "
                                "library");
  TLA_MPI_CHECK(MPI_Finalized(&finalized));
  if (finalized)
    throw Error("MPI has been finalized");
  const MPI_Comm communicator = MPI_Comm_f2c(handle);
  if (communicator == MPI_COMM_NULL)
    throw Error("there is no communicator " + std::to_string(handle) + ": MPI_Comm_c2f says the number of one");
  TLA_MPI_CHECK(MPI_Comm_test_inter(communicator, &connectsTwo));
  if (connectsTwo)
    throw Error("an intercommunicator has two groups of ranks; one is needed");
  // All ranks come to the same, before any of them waits for others.
  int threads = 0;
  TLA_MPI_CHECK(MPI_Query_thread(&threads));
  TLA_MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &threads, 1, MPI_INT, MPI_MIN, communicator));
  if (threads < MPI_THREAD_SERIALIZED)
    throw Error(libraryName() +
                " is used by one thread only here, or on another rank: MPI_THREAD_SERIALIZED is needed, " +
                "which is for the host's MPI_Init_thread to ask for");
  return communicator;
}

#if defined(__linux__)
bool ranksReadEachOther(MPI_Comm communicator) {
  int rank = 0, size = 0, here = 0;
  TLA_MPI_CHECK(MPI_Comm_rank(communicator, &rank));
  TLA_MPI_CHECK(MPI_Comm_size(communicator, &size));
  MPI_Comm machine;
  TLA_MPI_CHECK(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine));
  TLA_MPI_CHECK(MPI_Comm_size(machine, &here));
  TLA_MPI_CHECK(MPI_Comm_free(&machine));

  // Each rank's process and where its own number stands in it.
  struct Place {
    long process;
    const int *number;
  };
  const Place mine{::getpid(), &rank};
  std::vector<Place> places(size);
  TLA_MPI_CHECK(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, places.data(), sizeof mine, MPI_BYTE, communicator));
  int all = here == size;
  if (all) {
    const int next = (rank + 1) % size;
    int number = -1;
    const iovec to{&number, sizeof number}, from{const_cast<int *>(places[next].number), sizeof number};
    all = ::process_vm_readv(static_cast<pid_t>(places[next].process), &to, 1, &from, 1, 0) == sizeof number &&
          number == next;
  }
  TLA_MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator));
  return all;
}
#else
bool ranksReadEachOther(MPI_Comm) { return false; }
#endif

namespace {
/// Whether the request is complete. MPI moves only inside its functions, and another rank may still wait to hear that
/// we have its messages: so several looks each time.
bool isComplete(MPI_Request &request, Turn &turn) {
  constexpr int looks = 16;
  int done = 0;
  const std::lock_guard hold(turn);
  for (int look = 0; look < looks && !done; ++look)
    TLA_MPI_CHECK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  return done != 0;
}
} // namespace

void complete(MPI_Request request, Turn &turn) {
  while (!isComplete(request, turn))
    std::this_thread::yield();
}

void waitForAllRanks(MPI_Comm communicator, Turn &turn) {
  using namespace std::chrono_literals;
  MPI_Request request;
  {
    const std::lock_guard hold(turn);
    TLA_MPI_CHECK(MPI_Ibarrier(communicator, &request));
  }
  for (auto pause = 1us; !isComplete(request, turn); pause = std::min(2 * pause, std::chrono::microseconds(1ms)))
    if (pause < 32us)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(pause);
}

} // namespace tla::runtime
