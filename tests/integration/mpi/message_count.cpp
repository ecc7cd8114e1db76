// Counts what a process really sends and receives over MPI, by MPI's profiling interface: preloaded, it stands between
// the program and MPI. Into the file $TLA_MESSAGE_COUNT.RANK it writes, as JSON, the sends on each communicator that
// the program made, in that order, by kind of send, but for control messages, and the receives by kind.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Count {
  unsigned long messages = 0, bytes = 0;
  void add(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    ++messages;
    bytes += static_cast<unsigned long>(count) * size;
  }
  std::string json() const { return "[" + std::to_string(messages) + ", " + std::to_string(bytes) + "]"; }
};

std::vector<MPI_Comm> made;
std::map<std::pair<std::size_t, std::string>, Count> sent; // by communicator and function
std::map<std::string, Count> received;

// Of control messages, which are not counted. The tags of data end before; what is larger is data, whatever its tag.
constexpr int controlTag = 1 << 30, controlBytes = 512;

void countSend(const char *function, int count, MPI_Datatype type, int tag, MPI_Comm communicator) {
  if (tag == controlTag && type == MPI_BYTE && count <= controlBytes)
    return;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] == communicator)
      sent[{i, function}].add(count, type);
}

void write() {
  const char *const path = std::getenv("TLA_MESSAGE_COUNT");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::FILE *const file = path ? std::fopen((std::string(path) + "." + std::to_string(rank)).c_str(), "w") : nullptr;
  if (!file)
    return;
  std::string text;
  for (const auto &[where, count] : sent)
    text +=
        (text.empty() ? "" : ", ") + ("\"" + where.second + " " + std::to_string(where.first)) + "\": " + count.json();
  for (const auto &[function, count] : received)
    text += (text.empty() ? "\"" : ", \"") + function + "\": " + count.json();
  std::fprintf(file, "{%s}\n", text.c_str());
  std::fclose(file);
}

} // namespace

// MPI's functions of the same names. The transport sends by no other ones.

int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *copy) {
  const int code = PMPI_Comm_dup(communicator, copy);
  made.push_back(*copy);
  return code;
}
int MPI_Issend(const void *data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
               MPI_Request *request) {
  countSend("Issend", count, type, tag, communicator);
  return PMPI_Issend(data, count, type, destination, tag, communicator, request);
}
int MPI_Isend(const void *data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator,
              MPI_Request *request) {
  countSend("Isend", count, type, tag, communicator);
  return PMPI_Isend(data, count, type, destination, tag, communicator, request);
}
int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
  received["Imrecv"].add(count, type);
  return PMPI_Imrecv(data, count, type, message, request);
}
int MPI_Mrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
  received["Mrecv"].add(count, type);
  return PMPI_Mrecv(data, count, type, message, status);
}
int MPI_Finalize() {
  write();
  return PMPI_Finalize();
}
