// The exit codes of a compiled algorithm.
#pragma once

#include "runtime/host/ranks/ranks.hpp"

namespace tla::host {

enum ExitCode : int {
  Fine = 0,
  CheckFailed = 1,
  BadInput = 2,
  NumericalStop = 3,
  RuntimeFault = 4,
  Signalled = Failure::firstSignal
};

} // namespace tla::host
