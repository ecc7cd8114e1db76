#include <tla/runtime/bootstrap.hpp>

#include "runtime/bootstrap/cost_command.hpp"
#include "runtime/bootstrap/crash_guard.hpp"
#include "runtime/bootstrap/options.hpp"
#include "runtime/bootstrap/output_file.hpp"
#include "runtime/bootstrap/session.hpp"

#include <cstdio>
#include <sstream>

namespace tla::bootstrap {

int runProgram(const runtime::Algorithm &algorithm, int argc, char **argv) {
  fillStandardDescriptors();
  if (asksForCost(argc, argv))
    return runCost(algorithm, argc, argv);
  // Before any thread starts, so that only the supervisor ever sees a signal.
  const SignalGuard guard;
  const CrashGuard crashes(algorithm.name);
  try {
    std::ostringstream asked; // by --help or --version
    if (const std::optional<Settings> settings = parseCommandLine(algorithm, argc, argv, asked))
      return Session(algorithm).run(*settings);
    printOut(asked.str());
    return Fine;
  } catch (const UsageError &error) {
    std::fprintf(stderr, "hetc: %s\n", error.what());
    return BadInput;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hetc: %s: %s\n", algorithm.name, error.what());
    return RuntimeFault;
  }
}

} // namespace tla::bootstrap
