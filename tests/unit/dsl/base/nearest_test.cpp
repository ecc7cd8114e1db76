#include "dsl/base/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tla {
namespace {

TEST(Nearest, CountsEditsAndSwaps) {
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("ab", "ba"), 1u);
  EXPECT_EQ(editDistance("SPD", "spd"), 0u);
}

TEST(Nearest, FindsWhatWasMeant) {
  constexpr std::string_view words[] = {"potrf", "trsm", "syrk", "herk", "gemm"};
  EXPECT_EQ(nearest("gem", words), "gemm");
  EXPECT_EQ(nearest("tsrm", words), "trsm");
  EXPECT_EQ(nearest("POTRF", words), "potrf");
  EXPECT_EQ(nearest("erk", words), "herk");
  const std::vector<std::string> generators{"random", "spd", "matern"};
  EXPECT_EQ(nearest("matren", generators), "matern");
  EXPECT_EQ(suggestion("radnom", generators), "; did you mean 'random'?");
}

TEST(Nearest, ClaimsNothingOfOtherWords) {
  constexpr std::string_view words[] = {"potrf", "spd", "a"};
  for (const std::string_view other : {"", "quux", "x", "potions"})
    EXPECT_EQ(nearest(other, words), "") << other;
  EXPECT_EQ(nearest(std::string(100000, 'p'), words), "");
  EXPECT_EQ(suggestion("quux", words), "");
}

} // namespace
} // namespace tla
