// Makes one rank of a run stand still, or be slow, at a chosen moment, by MPI's profiling interface: preloaded, it
// stands between the program and MPI. The rank $TLA_FREEZE_RANK stops its process before the collective of the number
// $TLA_FREEZE_AT, from 0 on, or before "end", that of MPI. With $TLA_FREEZE_FOR it lives, and its
// main thread sleeps for so many seconds when it pauses the next time, between two calls of MPI. At the
// end it writes into $TLA_FREEZE_COUNT how many collectives there were, and whether it has slept.
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <unistd.h>
#include <utility>

namespace {

std::string variable(const char *name) {
  const char *const text = std::getenv(name);
  return text ? text : "";
}

bool isVictim() {
  static const bool victim = variable("TLA_FREEZE_RANK") == variable("OMPI_COMM_WORLD_RANK");
  return victim;
}

// Of the main thread, which makes all collectives.
long collectives = 0;
unsigned secondsToSleep = 0;
bool hasSlept = false;

void arriveAt(const std::string &moment) {
  static const std::string chosen = variable("TLA_FREEZE_AT"), seconds = variable("TLA_FREEZE_FOR");
  if (!isVictim() || chosen != moment)
    return;
  if (seconds.empty())
    kill(getpid(), SIGSTOP);
  else
    secondsToSleep = static_cast<unsigned>(std::stoul(seconds));
}

void arriveAtCollective() { arriveAt(std::to_string(collectives++)); }

void writeCount() {
  const std::string path = variable("TLA_FREEZE_COUNT");
  if (std::FILE *const file = isVictim() && !path.empty() ? std::fopen(path.c_str(), "w") : nullptr) {
    std::fprintf(file, "%ld %s\n", collectives, hasSlept ? "slept" : "");
    std::fclose(file);
  }
}

} // namespace

int nanosleep(const timespec *time, timespec *left) {
  if (gettid() == getpid() && secondsToSleep > 0) {
    hasSlept = true;
    sleep(std::exchange(secondsToSleep, 0));
  }
  return clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
}

// MPI's functions of the same names.

int MPI_Finalize() {
  arriveAt("end");
  writeCount();
  return PMPI_Finalize();
}
int MPI_Ibarrier(MPI_Comm communicator, MPI_Request *request) {
  arriveAtCollective();
  return PMPI_Ibarrier(communicator, request);
}
int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Request *request) {
  arriveAtCollective();
  return PMPI_Ibcast(data, count, type, root, communicator, request);
}
int MPI_Iallreduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm communicator, MPI_Request *request) {
  arriveAtCollective();
  return PMPI_Iallreduce(data, result, count, type, operation, communicator, request);
}
int MPI_Ireduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation, int root,
                MPI_Comm communicator, MPI_Request *request) {
  arriveAtCollective();
  return PMPI_Ireduce(data, result, count, type, operation, root, communicator, request);
}
int MPI_Igather(const void *data, int count, MPI_Datatype type, void *all, int counts, MPI_Datatype typeOfAll, int root,
                MPI_Comm communicator, MPI_Request *request) {
  arriveAtCollective();
  return PMPI_Igather(data, count, type, all, counts, typeOfAll, root, communicator, request);
}
int MPI_Igatherv(const void *data, int count, MPI_Datatype type, void *all, const int counts[], const int begins[],
                 MPI_Datatype typeOfAll, int root, MPI_Comm communicator, MPI_Request *request) {
  arriveAtCollective();
  return PMPI_Igatherv(data, count, type, all, counts, begins, typeOfAll, root, communicator, request);
}
