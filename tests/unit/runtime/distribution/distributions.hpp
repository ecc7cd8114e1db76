// What the tests of distributions share.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <gtest/gtest.h>

namespace tla {

/// The distribution of this name; a failure of the test, and one node, when there is none.
inline Distribution parsed(const std::string &text) {
  std::string error;
  const std::optional<Distribution> distribution = parseDistribution(text, error);
  EXPECT_TRUE(distribution) << error;
  return distribution.value_or(Distribution());
}

} // namespace tla
