#include "runtime/host/problem/scalars.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::usageError;

struct Sizes {
  long m, n, k;
};
Sizes resolve(const runtime::Algorithm &algorithm, const Settings &settings,
              const std::vector<GivenShape> &files = {}) {
  const auto scalars = resolveScalars(algorithm, settings.scalars);
  const runtime::Values values = resolveSizes(algorithm, settings, files, scalars);
  return {values.m, values.n, values.k};
}
std::string error(const runtime::Algorithm &algorithm, const Settings &settings,
                  const std::vector<GivenShape> &files = {}) {
  return usageError([&] { resolve(algorithm, settings, files); });
}
Settings withN(long n) {
  Settings settings;
  settings.n = n;
  return settings;
}

TEST(Sizes, MAndKFollowN) {
  const Sizes sizes = resolve(test::gemm<double>(), withN(7));
  EXPECT_EQ(sizes.m, 7);
  EXPECT_EQ(sizes.k, 7);
}

TEST(Sizes, DefaultsComeBeforeN) { EXPECT_EQ(resolve(test::posv<double>(), withN(7)).k, 1); }

TEST(Sizes, FilesDecide) {
  const Sizes sizes = resolve(test::posv<double>(), {}, {{0, 90, 90, "a.npy"}, {1, 90, 5, "b.npy"}});
  EXPECT_EQ(sizes.n, 90);
  EXPECT_EQ(sizes.k, 5);
}

TEST(Sizes, FilesDecideThroughScalars) {
  Settings settings;
  settings.scalars = {{"opA", "Trans"}};
  const Sizes sizes = resolve(test::gemm<double>(), settings, {{0, 3, 4, "a.npy"}, {1, 3, 5, "b.npy"}});
  EXPECT_EQ(sizes.m, 4);
  EXPECT_EQ(sizes.n, 5);
  EXPECT_EQ(sizes.k, 3);
}

TEST(Sizes, ConflictsAreNamed) {
  const auto posv = test::posv<double>();
  EXPECT_EQ(error(posv, {}, {{0, 90, 90, "a.npy"}, {1, 100, 5, "b.npy"}}),
            "B is 100 x 5 in b.npy, but n = 90 (from A in a.npy, 90 x 90) asks for 90 x k");
  EXPECT_EQ(error(posv, withN(80), {{0, 90, 90, "a.npy"}}),
            "A is 90 x 90 in a.npy, but n = 80 (from -n) asks for 80 x 80");
  EXPECT_EQ(error(posv, {}, {{0, 100, 90, "a.npy"}}), "posv needs a square A; a.npy is 100 x 90");
}

TEST(Sizes, AsksForWhatIsMissing) {
  EXPECT_EQ(error(test::cholesky<double>(), {}), "how large? give -n or an --input file (A is n x n)");
  Settings settings;
  settings.m = 3;
  EXPECT_EQ(error(test::gemm<double>(), settings).substr(0, 18), "how large? give -n");
}

long twiceNPlusOne(const runtime::Values &v) { return 2 * v.n + 1; }
long sizeM(const runtime::Values &v) { return v.m; }
TEST(Sizes, SolvesLinearShapes) {
  const runtime::MatrixParameter matrix{
      "A", Shape::General, runtime::ElementType::D, twiceNPlusOne, sizeM, "(2 n + 1) x m", "random", nullptr, 0, true};
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.matrices = &matrix;
  algorithm.sizes = "mn";
  EXPECT_EQ(resolve(algorithm, {}, {{0, 11, 3, "a.npy"}}).n, 5);
  EXPECT_EQ(error(algorithm, {}, {{0, 12, 3, "a.npy"}}), "A is 12 x 3 in a.npy, but cholesky asks for (2 n + 1) x m");
}

long smaller(const runtime::Values &v) { return std::min(v.m, v.n); }
TEST(Sizes, AMinimumDecidesNothing) {
  const runtime::MatrixParameter matrices[] = {
      {"A", Shape::General, runtime::ElementType::D, smaller, smaller, "min(m, n) x min(m, n)", "", nullptr, 0, true},
      {"B", Shape::General, runtime::ElementType::D, sizeM, twiceNPlusOne, "m x (2 n + 1)", "", nullptr, 0, true}};
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.matrices = matrices;
  algorithm.matrixCount = 2;
  algorithm.sizes = "mn";
  EXPECT_EQ(resolve(algorithm, {}, {{0, 5, 5, "a.npy"}, {1, 20, 11, "b.npy"}}).m, 20);
  EXPECT_NE(error(algorithm, {}, {{0, 6, 6, "a.npy"}, {1, 20, 11, "b.npy"}}), "no error");
}

TEST(Sizes, ExtentsMustBeRepresentable) {
  const runtime::MatrixParameter matrix{
      "A", Shape::General, runtime::ElementType::D, twiceNPlusOne, sizeM, "(2 n + 1) x m", "", nullptr, 0, true};
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.matrices = &matrix;
  EXPECT_NE(usageError([&] {
              matrixExtents(algorithm, {1, 2147483647, 0, nullptr});
            }).find("A would be 4294967295 x 1"),
            std::string::npos);
}
} // namespace
} // namespace tla::host
