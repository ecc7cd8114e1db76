// The one exception root of the runtime, raised at the host API only.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace tla {

/// Something the caller can read: lower case, no full stop; where() is the place in our source, for bug reports.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message, std::source_location where = std::source_location::current())
      : std::runtime_error(message), where_(where) {}
  const std::source_location &where() const { return where_; }

private:
  std::source_location where_;
};

/// The caller's input is at fault: arguments, options, files (exit code 2).
class UsageError : public Error {
  using Error::Error;
};

} // namespace tla
