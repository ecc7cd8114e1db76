// The conformance suite over MPI: mpirun -n RANKS mpi_conformance [--abort | --lost | --errors]
#include "runtime/interfaces/launch.hpp"
#include "runtime/transport/transport.hpp"
#include "tests/unit/runtime/transport/conformance.hpp"
#include "tests/unit/runtime/transport/port.hpp"

#include <tla/runtime/error.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

using namespace tla::runtime;

namespace {
void runAll(Transport &transport) {
  for (const ConformanceCase &conformanceCase : conformanceCases()) {
    if (transport.rank() == 0)
      std::printf("%s\n", conformanceCase.name);
    try {
      conformanceCase.run(transport);
    } catch (const std::exception &error) {
      throw std::runtime_error(std::string(conformanceCase.name) + ": " + error.what());
    }
    transport.barrier();
  }
}

/// A thread of the last rank aborts while its main thread is inside a collective, as a watchdog would; of the others
/// one is inside, too, and one is elsewhere.
void runAbort(Transport &transport) {
  if (transport.rank() == 1)
    std::this_thread::sleep_for(std::chrono::hours(1));
  if (transport.rank() == transport.size() - 1)
    std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      transport.abort(4);
    }).detach();
  transport.barrier();
}

/// The last rank dies without a word.
void runLost(Transport &transport) {
  if (transport.rank() == transport.size() - 1)
    std::raise(SIGKILL);
  transport.barrier();
}

/// Errors of MPI arrive as tla::Error, thrown in the module and caught here.
void runErrors(Transport &transport) {
  try {
    transport.send(transport.size(), 0, nullptr, 0, nullptr);
  } catch (const tla::Error &error) {
    const std::string text = error.what();
    require(text.find("MPI_Issend failed: MPI_ERR_RANK") == 0, "another message than expected: " + text);
    return;
  }
  throw std::runtime_error("a message to a rank that is not there was sent");
}

void runMode(const std::string &mode, Transport &transport) {
  try {
    if (mode == "--abort")
      runAbort(transport);
    else if (mode == "--lost")
      runLost(transport);
    else if (mode == "--errors")
      runErrors(transport);
    else
      runAll(transport);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "rank %d: %s\n", transport.rank(), error.what());
    transport.abort(1);
  }
}
} // namespace

int main(int argc, char **argv) {
  try {
    const ProcessLaunch launch = detectLaunch();
    const std::unique_ptr<Transport> transport = connect(launch);
    if (!transport)
      throw std::runtime_error("to be run by mpirun with at least 2 ranks");
    require(launch.localRank == launch.rank && launch.localSize == launch.size,
            "the ranks are not all of this machine");
    runMode(argc > 1 ? argv[1] : "", *transport);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
