// Which numbers of copies are looked at, and which program is the better one.
#include "runtime/predict/commands/copies_choice.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {

TEST(CopiesChoice, TriesDivisorsUpToAboutTheCubeRoot) {
  EXPECT_EQ(copiesWorthTrying(1), std::vector<int>());
  EXPECT_EQ(copiesWorthTrying(2), std::vector<int>());
  EXPECT_EQ(copiesWorthTrying(4), std::vector<int>{2});
  EXPECT_EQ(copiesWorthTrying(27), std::vector<int>{3});
  EXPECT_EQ(copiesWorthTrying(32), (std::vector<int>{2, 4}));
  EXPECT_EQ(copiesWorthTrying(64), (std::vector<int>{2, 4}));
  EXPECT_EQ(copiesWorthTrying(7), std::vector<int>());
}

TEST(CopiesChoice, FitsFirstThenTimeThenBytes) {
  const CopiesCandidate small{100, 50, {}}, large{300, 20, {}}, larger{400, 10, {}};
  EXPECT_TRUE(isBetter(large, small, 1000)) << "moves less";
  EXPECT_FALSE(isBetter(small, large, 1000));
  EXPECT_TRUE(isBetter(small, large, 200)) << "fits";
  EXPECT_FALSE(isBetter(large, small, 200));
  EXPECT_TRUE(isBetter(small, large, 50)) << "neither fits";
  EXPECT_FALSE(isBetter(larger, large, 50));
  const CopiesCandidate slow{300, 20, 9.0}, fast{100, 50, 8.0};
  EXPECT_TRUE(isBetter(fast, slow, 1000)) << "time where it is known";
  EXPECT_FALSE(isBetter(slow, fast, 1000));
  EXPECT_TRUE(isBetter(slow, small, 1000)) << "of one it is not known";
  EXPECT_FALSE(isBetter(small, small, 1000)) << "of equals the first stays";
}

} // namespace
} // namespace tla::host
