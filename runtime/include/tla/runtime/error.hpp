// The one exception root of the runtime, raised at the host API only.
#pragma once

#include <stdexcept>

namespace tla {

/// Something the caller can read: lower case, no full stop.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller's input is at fault: arguments, options, files (exit code 2).
class UsageError : public Error {
  using Error::Error;
};

} // namespace tla
