// How many messages tile Cholesky sends: what the distributions are for.
#include "distributions.hpp"

#include <cmath>
#include <set>

namespace tla {

namespace {
/// Messages per stored tile for T x T tiles when each version goes once to each other node that reads it.
double sendsPerTile(const Distribution &at, int T) {
  long sends = 0;
  for (int k = 0; k < T; ++k)
    for (int i = k; i < T; ++i) {
      std::set<int> readers;
      if (i == k)
        for (int below = k + 1; below < T; ++below)
          readers.insert(at.node(below, k)); // trsm
      else {
        for (int j = k + 1; j <= i; ++j)
          readers.insert(at.node(i, j)); // gemm, and herk at j = i
        for (int below = i + 1; below < T; ++below)
          readers.insert(at.node(below, i)); // gemm
      }
      readers.erase(at.node(i, k));
      sends += static_cast<long>(readers.size());
    }
  return sends / (T * (T + 1) / 2.0);
}

TEST(CholeskySends, AreTheKnownNumbers) {
  const std::pair<const char *, double> expected[] = {
      {"sbc:3", 1.00},    {"sbc:6", 2.00},    {"sbc:8", 3.00},    {"sbc:10", 2.99},   {"sbc:36", 6.96},
      {"2dbc:1x3", 1.92}, {"2dbc:2x3", 2.89}, {"2dbc:2x4", 3.81}, {"2dbc:2x5", 4.70}, {"2dbc:6x6", 9.19},
  };
  for (const auto &[name, sends] : expected)
    EXPECT_DOUBLE_EQ(std::round(100 * sendsPerTile(parsed(name), 72)) / 100, sends) << name;
}
} // namespace

} // namespace tla
