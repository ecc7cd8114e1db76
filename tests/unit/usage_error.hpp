// What a call says that its caller's input is at fault.
#pragma once

#include <tla/runtime/error.hpp>

#include <string>

namespace tla::test {

/// The message of the UsageError that f() throws; "no error" where it throws none.
template <typename F> std::string usageError(F f) {
  try {
    f();
  } catch (const UsageError &error) {
    return error.what();
  }
  return "no error";
}

} // namespace tla::test
