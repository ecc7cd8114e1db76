// Accesses to slice columns, taken apart into a tile's column and a slice.
#include "compiler/dependence/context.hpp"
#include "compiler/dependence/slice_columns.hpp"
#include "tests/unit/compiler/dependence/isl_literals.hpp"

namespace hetc::dependence {
namespace {
using test::isEqual;

class SliceColumns : public testing::Test {
protected:
  isl::map split(const std::string &accesses, int slices = 3) const {
    return splitSliceColumns(isl::map(ctx_.get(), accesses), slices);
  }
  unsigned divisionsOf(const isl::map &map) const {
    unsigned count = 0;
    map.foreach_basic_map([&](const isl::basic_map &piece) { count += isl_basic_map_dim(piece.get(), isl_dim_div); });
    return count;
  }

private:
  ContextOwner ctx_ = makeContext();
};

TEST_F(SliceColumns, TermsOfTheNumberOfSlicesAreTheColumn) {
  const isl::map cells = split("[n] -> { S0[k, d] -> A[k, 3k + d] : 0 <= d <= 2 and 3k + d < n }");
  EXPECT_TRUE(isEqual(cells, "[n] -> { S0[k, d] -> A[k, k, d] : 0 <= d <= 2 and 3k + d < n }"));
  EXPECT_EQ(divisionsOf(cells), 0u);
  EXPECT_TRUE(isEqual(split("{ S0[k] -> A[0, 3k + 5] }"), "{ S0[k] -> A[0, k + 1, 2] }"));
  EXPECT_TRUE(isEqual(split("{ S0[k] -> A[0, 3k - 1] }"), "{ S0[k] -> A[0, k - 1, 2] }"));
  EXPECT_TRUE(isEqual(split("[n] -> { S0[k, i] -> A[i, 6n + 4k] : 0 <= k < 2 and 0 < i < n }", 2),
                      "[n] -> { S0[k, i] -> A[i, 3n + 2k, 0] : 0 <= k < 2 and 0 < i < n }"));
}

TEST_F(SliceColumns, RunsOfTilesAndSlices) {
  EXPECT_TRUE(isEqual(split("{ S0[k, d] -> A[i, 3k + d] : 0 <= d <= 2 and k <= i <= 9 }"),
                      "{ S0[k, d] -> A[i, k, d] : 0 <= d <= 2 and k <= i <= 9 }"));
  EXPECT_TRUE(isEqual(split("{ S0[k] -> A[i, j] : k <= i <= 9 and 3k <= j < 3k + 3 }"),
                      "{ S0[k] -> A[i, k, d] : k <= i <= 9 and 0 <= d <= 2 }"));
}

TEST_F(SliceColumns, WhatIsNoSliceIsDivided) {
  const char *plain = "{ S0[k] -> A[0, k] : 0 <= k < 7 }";
  EXPECT_TRUE(isEqual(split(plain), "{ S0[k] -> A[0, j, d] : 0 <= d <= 2 and k = 3j + d and 0 <= k < 7 }"));
  EXPECT_TRUE(isEqual(split("{ S0[k, d] -> A[0, 3k + d] : 2 <= d <= 3 }"),
                      "{ S0[k, 2] -> A[0, k, 2]; S0[k, 3] -> A[0, k + 1, 0] }"));
}

TEST_F(SliceColumns, PieceByPiece) {
  EXPECT_TRUE(isEqual(split("{ S0[k, d] -> A[0, 3k + d] : 0 <= d <= 2 and k < 5; S0[k, d] -> A[0, d] : 0 <= d <= 2 and "
                            "k > 4 }"),
                      "{ S0[k, d] -> A[0, k, d] : 0 <= d <= 2 and k < 5; S0[k, d] -> A[0, 0, d] : 0 <= d <= 2 and k > "
                      "4 }"));
  EXPECT_TRUE(split("{ S0[k] -> A[0, k] : false }").is_empty());
}

TEST_F(SliceColumns, Join) {
  const isl::map accesses(split("{ S0[k, d] -> A[k, 3k + d] : 0 <= d <= 2 }"));
  EXPECT_TRUE(isEqual(accesses.apply_range(joinSliceColumns(accesses.ctx(), "A", 3)),
                      "{ S0[k, d] -> A[k, 3k + d] : 0 <= d <= 2 }"));
}
} // namespace
} // namespace hetc::dependence
