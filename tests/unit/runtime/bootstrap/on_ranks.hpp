// Several ranks inside one test.
#pragma once

#include "runtime/bootstrap/ranks.hpp"

#include <functional>

namespace tla::test {

/// body(ranks) on a thread for each of `count` ranks. What it throws is a failure of the test.
void onRanks(int count, const std::function<void(bootstrap::Ranks &)> &body);

} // namespace tla::test
