#include "runtime/host/problem/patterns.hpp"

#include "runtime/host/problem/layout.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tla::host {
namespace {
using test::TemporaryFolder;

using Table = std::vector<unsigned char>;

/// The pattern with the tiles that elimination fills in, step by step and tile by tile.
Table eliminated(Shape shape, int mt, Table present) {
  const auto at = [&](int i, int j) -> unsigned char & { return present[i + static_cast<std::size_t>(j) * mt]; };
  for (int k = 0; k < mt; ++k) {
    at(k, k) = 1;
    for (int i = k + 1; i < mt; ++i)
      for (int j = k + 1; j < mt; ++j) {
        const bool lower = shape == Shape::Lower, upper = shape == Shape::Upper;
        const bool meets = lower   ? i >= j && at(i, k) && at(j, k)
                           : upper ? i <= j && at(k, i) && at(k, j)
                                   : at(i, k) && at(k, j);
        if (meets)
          at(i, j) = 1;
      }
  }
  return present;
}

TEST(Patterns, FillIsThatOfElimination) {
  std::mt19937 random(1);
  for (const Shape shape : {Shape::General, Shape::Lower, Shape::Upper})
    for (const int mt : {0, 1, 2, 7, 63, 64, 65, 130})
      for (const unsigned oneIn : {2u, 5u, 30u, 200u}) {
        Table present(static_cast<std::size_t>(mt) * mt);
        for (int j = 0; j < mt; ++j)
          for (int i = 0; i < mt; ++i)
            present[i + static_cast<std::size_t>(j) * mt] =
                random() % oneIn == 0 && (shape == Shape::General || (shape == Shape::Lower ? i >= j : i <= j));
        const Table expected = eliminated(shape, mt, present);
        symbolicFactorization(shape, mt, present);
        EXPECT_EQ(present, expected) << static_cast<int>(shape) << " " << mt << " " << oneIn;
      }
}

runtime::MatrixParameter parameter(Shape shape) {
  runtime::MatrixParameter result{};
  result.name = "A";
  result.shape = shape;
  result.type = runtime::ElementType::D;
  const auto size = [](const runtime::Values &values) { return values.n; };
  result.rows = result.cols = size;
  return result;
}

/// "10\n01" where tiles (0, 0) and (1, 1) of two by two are there.
std::string tilesOf(Shape shape, const std::string &text, const std::string &more, long n, int nb) {
  TemporaryFolder folder;
  Patterns patterns;
  const runtime::MatrixParameter matrix = parameter(shape);
  patterns.add(matrix, 0, folder.write("a.mtx", text) + more);
  runtime::Values values;
  values.n = n;
  values.patterns = &patterns;
  const StorageRef storage = describeStorage(matrix, values, nb);
  std::string result;
  for (int i = 0; i < storage->mt(); ++i) {
    for (int j = 0; j < storage->nt(); ++j)
      result += storage->has(i, j) ? '1' : '0';
    result += i + 1 < storage->mt() ? "\n" : "";
  }
  return result;
}

constexpr const char *arrow = "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 4\n1 1\n4 1\n6 1\n5 5\n";

TEST(Patterns, TilesThatHoldAnEntry) {
  EXPECT_EQ(tilesOf(Shape::Lower, arrow, "", 6, 2), "100\n100\n101");
  EXPECT_EQ(tilesOf(Shape::Lower, arrow, ",fill", 6, 2), "100\n110\n111");
  EXPECT_EQ(tilesOf(Shape::Upper, arrow, "", 6, 2), "111\n000\n001") << "the other triangle of the same matrix";
  EXPECT_EQ(tilesOf(Shape::General, arrow, "", 6, 2), "111\n100\n101");
  EXPECT_EQ(tilesOf(Shape::General, arrow, ",fill", 6, 2), "111\n111\n111");
  EXPECT_EQ(tilesOf(Shape::Lower, arrow, "", 6, 4), "10\n11");
  EXPECT_EQ(tilesOf(Shape::Lower, arrow, "", 3, 1), "100\n100\n101") << "shrunk";
}

TEST(Patterns, BytesAreThoseOfTheTilesThatAreThere) {
  TemporaryFolder folder;
  Patterns patterns;
  const runtime::MatrixParameter matrix = parameter(Shape::Lower);
  patterns.add(matrix, 0, folder.write("a.mtx", arrow));
  runtime::Values values;
  values.n = 6;
  const double all = storageBytes(matrix, values, 2, {});
  values.patterns = &patterns;
  const StorageRef storage = describeStorage(matrix, values, 2);
  storage->allocate();
  EXPECT_EQ(storage->bytes(), 4 * 64u);
  EXPECT_EQ(all - storageBytes(matrix, values, 2, {}), 2 * 64);
  EXPECT_NE(storage->tile(2, 0), nullptr);
  EXPECT_EQ(storage->tile(1, 1), nullptr);
}

TEST(Patterns, Errors) {
  TemporaryFolder folder;
  const auto error = [&](const std::string &text, const std::string &more) {
    const std::string message =
        test::usageError([&] { Patterns().add(parameter(Shape::General), 0, folder.write("a.mtx", text) + more); });
    return message.substr(message.find("a.mtx"));
  };
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n", ",fill"),
            "a.mtx is 2 x 3, and only square matrices are filled in by elimination; leave out ',fill'");
  EXPECT_EQ(error("%%MatrixMarket matrix array real general\n1 1\n1\n", ""),
            "a.mtx lists no positions: it is no Matrix Market file in coordinate format");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n3 1\n", ""),
            "a.mtx:3: (3, 1) lies outside the 2 x 2 matrix");
  folder.write("a.mtx", "");
  EXPECT_EQ(test::usageError([&] {
              Patterns().add(parameter(Shape::General), 0, folder.write("a.mtx", "") + ",Fill");
            }).find("--pattern A="),
            0u);
}

} // namespace
} // namespace tla::host
