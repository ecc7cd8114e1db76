// Several ranks inside one test.
#pragma once

#include "runtime/host/ranks/ranks.hpp"

#include <functional>

namespace tla::test {

/// body(ranks) on a thread for each of `count` ranks. What it throws is a failure of the test.
void onRanks(int count, const std::function<void(host::Ranks &)> &body);

} // namespace tla::test
