// Round trips between two ranks through the transport, polled without a pause, beside MPI's own send and receive:
//
//   mpirun -n 2 ping_pong [ROUNDS]
//
// Prints microseconds per round trip, the best of several batches.
#include "runtime/interfaces/launch.hpp"
#include "runtime/transport/mpi/check.hpp"
#include "runtime/transport/transport.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tla::runtime;

namespace {
class ThroughTransport {
public:
  ThroughTransport(Transport &transport, std::vector<char> &buffer) : transport_(transport), buffer_(buffer) {}

  void send() {
    transport_.send(1 - transport_.rank(), 0, buffer_.data(), buffer_.size(), &buffer_);
    finish();
  }
  void receive() {
    Announcement message;
    while (!transport_.announced(message)) {
    }
    transport_.receive(message, buffer_.data(), &buffer_);
    finish();
  }

private:
  void finish() {
    void *token;
    while (transport_.finished(&token, 1) == 0) {
    }
  }

  Transport &transport_;
  std::vector<char> &buffer_;
};

class ThroughMpi {
public:
  ThroughMpi(Transport &transport, std::vector<char> &buffer) : peer_(1 - transport.rank()), buffer_(buffer) {}

  void send() { MPI_Send(buffer_.data(), static_cast<int>(buffer_.size()), MPI_BYTE, peer_, 0, MPI_COMM_WORLD); }
  void receive() {
    MPI_Recv(buffer_.data(), static_cast<int>(buffer_.size()), MPI_BYTE, peer_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

private:
  int peer_;
  std::vector<char> &buffer_;
};

template <typename Way> double microseconds(Transport &transport, std::size_t bytes, int rounds) {
  std::vector<char> buffer(bytes, 'x');
  Way way(transport, buffer);
  double best = 1e300;
  for (int batch = 0; batch < 10; ++batch) {
    transport.barrier();
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round)
      if (transport.rank() == 0)
        way.send(), way.receive();
      else
        way.receive(), way.send();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / rounds);
  }
  return best;
}
} // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  const std::unique_ptr<Transport> transport = connect(detectLaunch());
  if (!transport || transport->size() != 2) {
    std::fprintf(stderr, "run it by mpirun -n 2\n");
    return 2;
  }
  for (const std::size_t bytes : {8ul, 4096ul, 65536ul, 524288ul, 2097152ul}) {
    const double ours = microseconds<ThroughTransport>(*transport, bytes, rounds);
    const double mpi = microseconds<ThroughMpi>(*transport, bytes, rounds);
    if (transport->rank() == 0)
      std::printf("%8zu bytes: transport %9.2f us, MPI %9.2f us\n", bytes, ours, mpi);
  }
}
