// Random programs over random distributions on the ranks of one mpirun, program after program: bitwise the serial
// result, as the unit tests have it for ranks of one process; also with messages that are held back (Faults::holdBack).
//
//   mpirun -n RANKS random_programs_on_ranks [programs [looks]]
#include "runtime/interfaces/launch.hpp"
#include "runtime/transport/transport.hpp"
#include "tests/support/transport/faulty_transport.hpp"
#include "tests/unit/runtime/core/random_program.hpp"

#include <tla/runtime/executor.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {
using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

/// This rank's tiles are those of a serial run.
bool agrees(const Program &program, ProgramData &mine, const Distribution &distribution, int rank) {
  ProgramData serial(program, true);
  runSerially(program, serial);
  serial.keepTilesOf(distribution, rank);
  return mine.content() == serial.content();
}

/// The sums of messages that all ranks have sent, and forwarded.
class Sums {
public:
  void add(const TransferCounts &counts) {
    values_[0] += static_cast<double>(counts.messages);
    values_[1] += static_cast<double>(counts.forwarded);
  }
  /// A test in which nothing is sent, or forwarded, would be idle.
  void judge(Transport &transport) {
    transport.sum(values_, 2);
    if (transport.rank() == 0)
      std::printf("%.0f messages, %.0f of them forwarded\n", values_[0], values_[1]);
    if (values_[0] == 0 || (values_[1] == 0 && transport.size() > 2))
      throw std::runtime_error("no messages, or none forwarded");
  }

private:
  double values_[2] = {};
};

void runProgram(unsigned seed, Executor &executor, Transport &transport, Sums &sums) {
  const Program program = makeProgram(seed, 20 + static_cast<int>(seed % 7) * 40);
  const Distribution distribution = randomTable(transport.size(), seed);
  ProgramData data(program, false);
  data.keepTilesOf(distribution, transport.rank());
  executor.distribute(distribution);
  const Outcome outcome = executor.run([&](Generator &generator) { generate(program, data, generator); });
  const std::string where = "program " + std::to_string(seed) + ": ";
  if (outcome.kind != Outcome::Kind::Finished)
    throw std::runtime_error(where + "ended early: " + outcome.message);
  if (!agrees(program, data, distribution, transport.rank()))
    throw std::runtime_error(where + "differs from the serial run");
  sums.add(outcome.statistics.transfers);
}

/// One executor after the other: at no time may two share the transport.
void runAll(Transport &transport, unsigned programs) {
  Sums sums;
  unsigned seed = 0;
  for (const auto &[window, fanOut] : {std::pair{3, 1}, {40, 2}, {8192, 1}, {8192, 4}}) {
    {
      Executor executor({.threads = 1, .window = window, .pin = false, .transport = &transport, .fanOut = fanOut});
      for (const unsigned end = seed + programs / 4; seed < end; ++seed)
        runProgram(seed, executor, transport, sums);
    }
    transport.barrier();
  }
  sums.judge(transport);
}
} // namespace

int main(int argc, char **argv) {
  const std::unique_ptr<Transport> transport = connect(detectLaunch());
  if (!transport) {
    std::fprintf(stderr, "to be run by mpirun with at least 2 ranks\n");
    return 2;
  }
  const unsigned programs = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 200;
  try {
    if (argc > 2) {
      FaultyTransport faulty(*transport, {.seed = 3, .holdBack = std::atoi(argv[2])});
      runAll(faulty, programs);
    } else {
      runAll(*transport, programs);
    }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "rank %d: %s\n", transport->rank(), error.what());
    transport->abort(1);
  }
}
