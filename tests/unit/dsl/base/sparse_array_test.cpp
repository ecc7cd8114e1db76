#include "dsl/base/sparse_array.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <vector>

namespace tla {
namespace {

TEST(SparseArray, KeepsWhatWasAskedForWhereItIs) {
  SparseArray<int> array;
  std::map<std::size_t, int *> expected;
  std::vector<int> order;
  std::size_t number = 1;
  for (int i = 0; i < 5000; ++i) {
    number = i % 3 == 0 ? expected.size() * 4096 : number * 6364136223846793005 + 1; // multiples, and all over
    int &value = array[number];
    if (expected.try_emplace(number, &value).second) {
      EXPECT_EQ(value, 0);
      value = static_cast<int>(expected.size());
      order.push_back(value);
    }
  }
  EXPECT_EQ(array.size(), expected.size());
  for (const auto &[at, place] : expected)
    EXPECT_EQ(&array[at], place);
  std::vector<int> visited;
  array.forEach([&](int value) { visited.push_back(value); });
  EXPECT_EQ(visited, order) << "in the order in which they were first asked for";
  array.clear();
  EXPECT_EQ(array.size(), 0u);
  EXPECT_EQ(array[4096], 0);
}

} // namespace
} // namespace tla
