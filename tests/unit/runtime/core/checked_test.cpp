#include <tla/generated/checked.hpp>

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {

const LoopText loop{"f.tla:12", "j", "j += step"};

template <typename Failure> std::string messageOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "none";
}

/// Whether two windows [row, row + m) x [column, column + n) of a tile share an element, by looking at all.
bool share(const int (&a)[4], const int (&b)[4]) {
  for (int i = a[0]; i < a[0] + a[1]; ++i)
    for (int j = a[2]; j < a[2] + a[3]; ++j)
      if (i >= b[0] && i < b[0] + b[1] && j >= b[2] && j < b[2] + b[3])
        return true;
  return false;
}

} // namespace

TEST(Checked, LoopsGoOn) {
  EXPECT_EQ(advance(loop, 1, 3, 4), 4);
  EXPECT_EQ(advance(loop, -1, 3, -4), -4);
  const auto fails = [](int direction, int value, long next) {
    return messageOf<UsageError>([=] { advance(loop, direction, value, next); });
  };
  EXPECT_EQ(fails(1, 3, 3), "the loop over j does not end: its step takes it from 3 to 3 (f.tla:12: j += step)");
  EXPECT_NE(fails(1, 3, 2), "none");
  EXPECT_NE(fails(-1, 3, 3), "none");
  EXPECT_NE(fails(-1, 3, 4), "none");
  EXPECT_NE(fails(1, 3, INT_MAX + 1L), "none");
  EXPECT_NE(fails(-1, 3, INT_MIN - 1L), "none");
}

TEST(Checked, TheFirstStepDecidesWhereNothingElseDoes) {
  int direction = 0;
  EXPECT_EQ(advanceEither(loop, direction, 3, 1), 1);
  EXPECT_EQ(advanceEither(loop, direction, 1, 0), 0);
  EXPECT_NE(messageOf<UsageError>([&] { advanceEither(loop, direction, 0, 1); }), "none");
}

TEST(Checked, WrongStepsAreNamedWithTheirValues) {
  EXPECT_EQ(messageOf<UsageError>([] {
              failStep(loop, {{"step", 0}}, "--set step=1 or larger");
            }),
            "step = 0 (f.tla:12: j += step): the loop over j would not end; --set step=1 or larger");
  EXPECT_EQ(messageOf<UsageError>([] {
              failStep(loop, {{"a", 1}, {"b", -1}}, "");
            }),
            "a = 1, b = -1 (f.tla:12: j += step): the loop over j would not end");
  EXPECT_EQ(messageOf<UsageError>([] { failStep(loop, {}, ""); }),
            "f.tla:12: j += step: the loop over j would not end");
}

TEST(Checked, RequirementsAreNamedWithSizesAndOptions) {
  double element = 0;
  const Tile<double> A(&element, 3, 4, 3);
  EXPECT_EQ(messageOf<Error>([&] {
              failRequirement("op == NoTrans", {seenScalar("op", Op::Trans), seenScalar("ib", 7), seenScalar("x", 1.5),
                                                seen("A", "W(i, k)", A)});
            }),
            "requires op == NoTrans, but op is Trans; ib is 7; x is 1.5; A, which is W(i, k), is 3 x 4");
  EXPECT_EQ(messageOf<UsageError>([&] { failArguments("f", "A.m() == 2", {seen("A", "", A)}); }),
            "f requires A.m() == 2, but A is 3 x 4");
  EXPECT_EQ(messageOf<Error>([] { failAlias("C", "A(i, j)", "A", "A(i, k)"); }),
            "writes C, which is A(i, j) and shares elements with A, which is A(i, k); a kernel that can take that says "
            "alias(C, A)");
}

TEST(Checked, WindowsOfOneTileOverlapWhereTheyShareAnElement) {
  constexpr int m = 4, n = 3;
  std::vector<double> memory(m * n);
  const Tile<double> tile(memory.data(), m, n, m);
  std::vector<std::vector<int>> windows;
  for (int row = 0; row <= m; ++row)
    for (int rows = 0; row + rows <= m; ++rows)
      for (int column = 0; column <= n; ++column)
        for (int columns = 0; column + columns <= n; ++columns)
          windows.push_back({row, rows, column, columns});
  for (const auto &a : windows)
    for (const auto &b : windows) {
      const Tile<double> first = tile.rows(a[0], a[1]).cols(a[2], a[3]),
                         second = tile.rows(b[0], b[1]).cols(b[2], b[3]);
      ASSERT_EQ(overlap(first, second), share({a[0], a[1], a[2], a[3]}, {b[0], b[1], b[2], b[3]}))
          << a[0] << " " << a[1] << " " << a[2] << " " << a[3] << " / " << b[0] << " " << b[1] << " " << b[2] << " "
          << b[3];
    }
}

/// Panels that are too long for each tile against each: the answer is that of all pairs.
TEST(Checked, LongPanelsOverlapWhereTheirTilesDo) {
  constexpr int count = 60;
  std::vector<double> memory(8 * count);
  std::vector<Tile<double>> even, odd;
  for (int r = 0; r < count; ++r) { // in no order of addresses
    const int place = r * 37 % count;
    even.emplace_back(&memory[8 * static_cast<std::size_t>(place)], 2, 2, 2);
    odd.emplace_back(&memory[8 * static_cast<std::size_t>(place) + 4], 2, 2, 2);
  }
  const auto overlapOf = [](const std::vector<Tile<double>> &a, const std::vector<Tile<double>> &b) {
    return overlap(Panel<double>(a.data(), count), Panel<double>(b.data(), count));
  };
  EXPECT_FALSE(overlapOf(even, odd) || overlapOf(odd, even));
  EXPECT_TRUE(overlapOf(even, even));
  for (int r = 0; r < count; ++r) {
    auto changed = odd;
    changed[static_cast<std::size_t>(r)] = {odd[static_cast<std::size_t>(r)].data() - 1, 2, 2, 2};
    EXPECT_TRUE(overlapOf(even, changed) && overlapOf(changed, even)) << r;
    changed[static_cast<std::size_t>(r)] = {even[0].data(), 0, 2, 2};
    EXPECT_FALSE(overlapOf(even, changed) || overlapOf(changed, even)) << r;
  }
}

TEST(Checked, HalvesAndOtherTilesDoNotOverlap) {
  double memory[8] = {};
  const Tile<double> tile(memory, 2, 2, 2), next(memory + 4, 2, 2, 2);
  EXPECT_TRUE(overlap(tile, tile));
  EXPECT_FALSE(overlap(tile, next));
  EXPECT_FALSE(overlap(tile.lower(), tile.upper()));
  EXPECT_TRUE(overlap(tile.lower(), tile));
  EXPECT_TRUE(overlap(tile.lower(), tile.lower()));
  const Tile<double> tiles[] = {tile, next};
  const Panel<double> panel(tiles, 2), first(tiles, 1), empty(tiles, 0);
  EXPECT_TRUE(overlap(panel, next) && overlap(next, panel) && overlap(panel, first));
  EXPECT_FALSE(overlap(first, next) || overlap(panel, empty) || overlap(empty, tile));
}
