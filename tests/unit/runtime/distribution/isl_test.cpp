// The text for the compiler says what the table says.
#include "distributions.hpp"

#include <isl/cpp.h>

#include <map>

namespace tla {

namespace {
/// All images of the tiles of two periods, by tile.
std::multimap<std::pair<int, int>, Distribution::Coordinates> images(const isl::map &relation,
                                                                     const Distribution &distribution) {
  const std::string box = "{ [I, J, x, y] : 0 <= I < " + std::to_string(2 * distribution.rows()) + " and 0 <= J < " +
                          std::to_string(2 * distribution.columns()) + " }";
  const isl::set points =
      isl::manage(isl_set_flatten(relation.wrap().release())).intersect(isl::set(relation.ctx(), box));
  std::multimap<std::pair<int, int>, Distribution::Coordinates> found;
  points.foreach_point([&](const isl::point &point) {
    const isl::multi_val values = point.multi_val();
    const auto at = [&](int position) { return static_cast<int>(values.at(position).num_si()); };
    found.emplace(std::pair(at(0), at(1)), Distribution::Coordinates{at(2), at(3)});
  });
  return found;
}

void expectEqual(const Distribution &distribution) {
  SCOPED_TRACE(distribution.name());
  isl_ctx *context = isl_ctx_alloc();
  {
    const isl::map relation(isl::ctx(context), distribution.isl());
    EXPECT_EQ(isl_map_n_basic_map(relation.get()), distribution.islDisjuncts());
    EXPECT_TRUE(relation.is_single_valued());
    const auto found = images(relation, distribution);
    EXPECT_EQ(found.size(), 4u * distribution.rows() * distribution.columns());
    for (int I = 0; I < 2 * distribution.rows(); ++I)
      for (int J = 0; J < 2 * distribution.columns(); ++J) {
        ASSERT_EQ(found.count({I, J}), 1u) << I << ", " << J;
        ASSERT_EQ(found.find({I, J})->second, distribution.coordinates(distribution.node(I, J))) << I << ", " << J;
      }
  }
  isl_ctx_free(context);
}

class IslText : public testing::TestWithParam<const char *> {};

TEST_P(IslText, EqualsTheTable) { expectEqual(parsed(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Distributions, IslText,
                         testing::Values("2dbc:1x1", "2dbc:2x3", "2dbc:3x2,v=4", "2dbc:1x1,v=3", "row:5", "col:7",
                                         "2dbc:6x6", "2dbc:1x2,reflected", "2dbc:1x2,reflected=0:3",
                                         "2dbc:2x3,reflected=1:4", "2dbc:3x1,v=2,reflected=2:0",
                                         "2dbc:4x2,v=3,reflected=7:3", "2dbc:4x4,reflected", "sbc:1", "sbc:2", "sbc:3",
                                         "sbc:6", "sbc:8", "sbc:10", "sbc:15", "sbc:18", "sbc:21", "sbc:28", "sbc:32",
                                         "weighted:1:1:2:4", "weighted:3:2,columns=2", "g2dbc:3", "g2dbc:5", "g2dbc:7",
                                         "g2dbc:5,reflected=3:4", "2dbc:2x3,copies=2", "2dbc:1x2,copies=3",
                                         "sbc:6,copies=2", "2dbc:2x3,reflected=1:4,copies=4", "weighted:3:2,copies=2"));

/// Each copy's table, tile by tile.
TEST_P(IslText, OfAllCopiesEqualsTheirTables) {
  const Distribution whole = parsed(GetParam());
  for (const int copies : whole.copies() > 1 ? std::vector<int>{whole.copies()} : std::vector<int>{1, 2, 3}) {
    isl_ctx *context = isl_ctx_alloc();
    {
      const isl::map relation(isl::ctx(context), whole.islOfCopies(copies));
      EXPECT_TRUE(relation.is_single_valued());
      for (int copy = 0; copy < copies; ++copy)
        for (int I = 0; I < whole.rows(); ++I)
          for (int J = 0; J < whole.columns(); ++J) {
            const Distribution &ofCopy = whole.copies() > 1 ? whole.ofCopy(copy) : whole;
            const Distribution::Coordinates at = whole.coordinates(ofCopy.node(I, J));
            const std::string pair = "{ [" + std::to_string(I) + ", " + std::to_string(J * copies + copy) + "] -> [" +
                                     std::to_string(at.x) + ", " + std::to_string(at.y) + "] }";
            ASSERT_TRUE(isl::map(isl::ctx(context), pair).is_subset(relation)) << pair;
          }
    }
    isl_ctx_free(context);
  }
}

/// One case, whose nodes are parts of one node each.
TEST_P(IslText, OfPartsEqualsTheirTable) {
  const Distribution whole = parsed(GetParam()), &parts = whole.parts();
  EXPECT_EQ(parts.islDisjuncts(), 1);
  expectEqual(parts);
  for (int copy = 0; copy < whole.copies(); ++copy)
    for (int I = 0; I < whole.rows(); ++I)
      for (int J = 0; J < whole.columns(); ++J)
        ASSERT_EQ(whole.nodeOfPart(parts.ofCopy(copy).node(I, J)), whole.ofCopy(copy).node(I, J)) << I << ", " << J;
}

TEST_P(IslText, EqualsTheTableOfSlices) {
  for (const int slices : {1, 2, 3})
    expectEqual(parsed(GetParam()).sliced(slices));
}

TEST_P(IslText, OfCopiesEqualsTheirTables) {
  const Distribution whole = parsed(GetParam());
  for (int copy = 1; copy < whole.copies(); ++copy) {
    expectEqual(whole.ofCopy(copy));
    expectEqual(whole.sliced(2).ofCopy(copy));
  }
}

TEST(IslText, EqualsATable) {
  expectEqual(Distribution::table(1, 1, {0}, "file:one"));
  expectEqual(Distribution::table(2, 3, {0, 1, 2, 2, 0, 1}, "file:two"));
  expectEqual(Distribution::table(2, 3, {0, 1, 2, 2, 0, 1}, "file:two").sliced(4));
  expectEqual(Distribution::table(3, 2, {0, 0, 0, 0, 0, 1}, "file:three"));
}
} // namespace

} // namespace tla
