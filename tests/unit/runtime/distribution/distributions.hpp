// What the tests of distributions share.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

namespace tla {

/// The distribution of this name; a failure of the test, and one node, when there is none.
inline Distribution parsed(const std::string &text) {
  try {
    return parseDistribution(text);
  } catch (const UsageError &error) {
    ADD_FAILURE() << error.what();
    return Distribution();
  }
}

} // namespace tla
