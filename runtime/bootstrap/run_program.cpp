#include <tla/runtime/bootstrap.hpp>

#include "runtime/bootstrap/options.hpp"
#include "runtime/bootstrap/session.hpp"

#include <cstdio>
#include <iostream>

namespace tla::bootstrap {

int runProgram(const runtime::Algorithm &algorithm, int argc, char **argv) {
  // Before any thread starts, so that only the supervisor ever sees a signal.
  const SignalGuard guard;
  try {
    const std::optional<Settings> settings = parseCommandLine(algorithm, argc, argv, std::cout);
    std::cout.flush();
    return settings ? Session(algorithm).run(*settings) : Fine;
  } catch (const UsageError &error) {
    std::fprintf(stderr, "hetc: %s\n", error.what());
    return BadInput;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hetc: %s: %s\n", algorithm.name, error.what());
    return RuntimeFault;
  }
}

} // namespace tla::bootstrap
