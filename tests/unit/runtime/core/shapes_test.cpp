// What the host API says of matrices that do not fit together.
#include "runtime/core/passes/shapes.hpp"

#include <tla/generated/generated.hpp>
#include <tla/runtime/error.hpp>
#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace tla;
using namespace tla::runtime;

namespace {
long m(const Values &v) { return v.m; }
long n(const Values &v) { return v.n; }
long k(const Values &v) { return v.k; }
long sum(const Values &v) { return 2 * v.n + v.k + 1; }
long smaller(const Values &v) { return std::min(v.m, v.n); }
long one(const Values &) { return 1; }
long chosen(const Values &v) { return v.scalars[0].integer ? v.m : v.n; }

long down(const Values &v, long nb) { return (v.m + nb - 1) / nb; }
long across(const Values &, long) { return 1; }
long ib(const Values &v, long) { return v.scalars[0].integer; }
long nb(const Values &, long nb) { return nb; }
long rows(const Values &v, long nb) { return down(v, nb) * ib(v, nb); }
constexpr WorkspaceShape panelFactors{down, across, ib, nb, rows, nb};

constexpr MatrixParameter matrix(const char *name, Dimension rows, Dimension cols, const char *text,
                                 bool written = true) {
  return {name, Shape::General, ElementType::D, rows, cols, text, "", nullptr, 0, written};
}

/// An algorithm of these matrices that fails when it runs.
template <int count> Algorithm algorithm(const MatrixParameter (&matrices)[count]) {
  Algorithm result{};
  result.name = "posv";
  result.sizes = "mnk";
  result.matrices = matrices;
  result.matrixCount = count;
  result.generate = [](Generator &, const Arguments &) { throw std::runtime_error("it runs"); };
  return result;
}

struct Size {
  int rows, columns, tile = 4;
  std::size_t bytes = sizeof(double);
};

/// The message of run().
std::string say(const Algorithm &algorithm, std::vector<Size> sizes, long scalar = 0) {
  std::vector<StorageRef> storages;
  std::vector<Storage *> pointers;
  for (const Size &size : sizes) {
    storages.emplace_back(new Storage(size.rows, size.columns, size.tile, size.tile, size.bytes, Shape::General));
    pointers.push_back(&*storages.back());
  }
  const ScalarValue scalars[] = {{scalar, 0, 0}};
  Executor executor(Options{.threads = 1});
  try {
    return executor.run(algorithm, {pointers.data(), scalars}).kind == Outcome::Kind::Finished ? "nothing to do" : "";
  } catch (const UsageError &error) {
    return error.what();
  } catch (const std::exception &error) {
    return error.what();
  }
}

TEST(Shapes, TwoMatricesThatDoNotFit) {
  static constexpr MatrixParameter matrices[] = {matrix("A", n, n, "n x n"), matrix("B", n, k, "n x k")};
  const Algorithm posv = algorithm(matrices);
  EXPECT_EQ(say(posv, {{10, 10}, {10, 3}}), "it runs");
  EXPECT_EQ(say(posv, {{10, 10}, {11, 3}}), "posv: B is 11 x 3 (n x k), but A is 10 x 10 (n x n)");
  EXPECT_EQ(say(posv, {{10, 12}, {10, 3}}), "posv: A is 10 x 12; it must be n x n");
}

TEST(Shapes, TilesAndTypes) {
  static constexpr MatrixParameter matrices[] = {matrix("A", n, n, "n x n"), matrix("B", n, k, "n x k")};
  const Algorithm posv = algorithm(matrices);
  EXPECT_EQ(say(posv, {{10, 10, 4}, {10, 3, 5}}), "posv: B is in tiles of 5 x 5, but A in tiles of 4 x 4");
  EXPECT_EQ(say(posv, {{10, 10}, {10, 3, 4, 4}}),
            "posv: B has elements of 4 bytes, but the algorithm was compiled for type d, of 8 bytes");
}

TEST(Shapes, ALaterMatrixMayDecide) {
  static constexpr MatrixParameter matrices[] = {matrix("A", sum, m, "(2 n + k + 1) x m"), matrix("B", n, k, "n x k")};
  const Algorithm posv = algorithm(matrices);
  EXPECT_EQ(say(posv, {{14, 2}, {5, 3}}), "it runs");
  EXPECT_EQ(say(posv, {{15, 2}, {5, 3}}), "posv: A is 15 x 2 ((2 n + k + 1) x m), but B is 5 x 3 (n x k)");
}

TEST(Shapes, MinimaDecideNothingButMustFit) {
  static constexpr MatrixParameter matrices[] = {matrix("ipiv", smaller, one, "min(m, n) x 1"),
                                                 matrix("A", m, n, "m x n")};
  const Algorithm getrf = algorithm(matrices);
  EXPECT_EQ(say(getrf, {{5, 1}, {5, 9}}), "it runs");
  EXPECT_EQ(say(getrf, {{5, 1}, {9, 5}}), "it runs");
  EXPECT_EQ(say(getrf, {{9, 1}, {9, 5}}), "posv: ipiv is 9 x 1 (min(m, n) x 1), but A is 9 x 5 (m x n)");
  EXPECT_EQ(say(getrf, {{5, 2}, {9, 5}}), "posv: ipiv is 5 x 2; it must be min(m, n) x 1");
}

TEST(Shapes, MayDependOnOptions) {
  static constexpr MatrixParameter matrices[] = {matrix("A", m, n, "m x n"),
                                                 matrix("B", chosen, one, "op(A) is m x n")};
  const Algorithm gemv = algorithm(matrices);
  EXPECT_EQ(say(gemv, {{4, 7}, {7, 1}}, 0), "it runs");
  EXPECT_EQ(say(gemv, {{4, 7}, {4, 1}}, 1), "it runs");
  EXPECT_NE(say(gemv, {{4, 7}, {4, 1}}, 0), "it runs");
}

TEST(Shapes, Workspaces) {
  static constexpr MatrixParameter matrices[] = {
      matrix("A", m, n, "m x n"),
      {"W", Shape::General, ElementType::D, nullptr, nullptr, "", "", nullptr, 0, true, false, &panelFactors}};
  Algorithm geqrf = algorithm(matrices);
  geqrf.sizes = "mn";
  Storage A(10, 4, 4, 4, 8, Shape::General);
  const StorageRef W(Storage::makeWorkspace(3, 1, 2, 4, 8));
  Storage *const storages[] = {&A, &*W};
  const auto error = [&](long blocking) {
    const ScalarValue scalars[] = {{blocking, 0, 0}};
    try {
      requireFittingShapes(geqrf, {storages, scalars});
    } catch (const UsageError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error(2), "");
  EXPECT_EQ(error(3), "posv: the workspace W is 6 x 4 in tiles of 2 x 4; it must be 9 x 4 in tiles of 3 x 4");
}

TEST(Shapes, PeriodsOfOneCallAreEqual) {
  static constexpr MatrixParameter matrices[] = {matrix("A", n, n, "n x n"), matrix("B", n, k, "n x k")};
  Algorithm gesv = algorithm(matrices);
  Storage A(10, 10, 4, 4, 8, Shape::General), B(10, 3, 4, 4, 8, Shape::General);
  Storage *const storages[] = {&A, &B};
  const auto error = [&] {
    try {
      requireFittingShapes(gesv, {storages, nullptr});
    } catch (const UsageError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  A.setPeriod({2, 3});
  EXPECT_EQ(error(), "");
  gesv.asksPeriod = true;
  EXPECT_EQ(error(),
            "posv: the tiles of B repeat over nodes after 1 x 1, but those of A after 2 x 3; a tla::PeriodScope "
            "around all of them gives them one period");
  B.setPeriod({2, 3});
  EXPECT_EQ(error(), "");
  A.setPeriod({1, 1});
  B.setPeriod({});
  EXPECT_EQ(error(), "");
}

TEST(Shapes, Cuts) {
  MatrixParameter matrices[] = {matrix("A", m, n, "m x n"), matrix("B", m, k, "m x k"),
                                matrix("ipiv", m, one, "m x 1")};
  matrices[0].cut = matrices[1].cut = true;
  Algorithm gesv = algorithm(matrices);
  gesv.mapping = {Mapping::Kind::Slices, 3};
  const auto error = [&](Cut a, Cut b, Cut pivots) {
    const StorageRef A(new Storage(8, 8, 8, 8, 8, Shape::General, a)), B(new Storage(8, 9, 8, 8, 8, Shape::General, b)),
        ipiv(new Storage(8, 1, 8, 8, 8, Shape::General, pivots));
    Storage *const storages[] = {&*A, &*B, &*ipiv};
    try {
      requireFittingShapes(gesv, {storages, nullptr});
    } catch (const UsageError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error({3, 2}, {3, 2}, {}), "");
  EXPECT_EQ(error({3, 2}, {3, 1}, {}), "posv: B is in slices of 1 columns, but A in slices of 2");
  EXPECT_EQ(error({}, {3, 2}, {}), "posv: A is in whole tiles, but the program was compiled for tiles of 3 slices "
                                   "(hetc --split)");
  EXPECT_EQ(error({2, 2}, {3, 2}, {}), "posv: A is in tiles of 2 slices, but the program was compiled for tiles of 3 "
                                       "slices (hetc --split)");
  EXPECT_EQ(error({3, 2}, {3, 2}, {3, 2}), "posv: ipiv is in tiles of 3 slices, but the program was compiled for "
                                           "whole tiles (hetc --split)");
  gesv.mapping = {};
  EXPECT_EQ(error({}, {}, {}), "");
  EXPECT_NE(error({3, 2}, {3, 2}, {}), "");
}

TEST(Shapes, NothingToWriteReturnsAtOnce) {
  static constexpr MatrixParameter matrices[] = {matrix("A", m, k, "m x k", false), matrix("C", m, n, "m x n")};
  Algorithm syrk = algorithm(matrices);
  syrk.generate = [](Generator &, const Arguments &arguments) {
    const Storage &C = *arguments.matrices[1];
    if (C.m() > 0 && C.n() > 0)
      throw std::runtime_error("it runs");
  };
  EXPECT_EQ(say(syrk, {{5, 9}, {5, 0}}), "nothing to do");
  EXPECT_EQ(say(syrk, {{0, 9}, {0, 3}}), "nothing to do");
  EXPECT_EQ(say(syrk, {{5, 0}, {5, 3}}), "it runs") << "C is scaled all the same";
}

TEST(Shapes, NothingToWriteIsNoExcuse) {
  static constexpr MatrixParameter matrices[] = {matrix("A", m, k, "m x k", false), matrix("C", m, n, "m x n")};
  Algorithm syrk = algorithm(matrices);
  syrk.generate = [](Generator &, const Arguments &) { throw UsageError("it is not for these"); };
  EXPECT_EQ(say(syrk, {{5, 9}, {5, 0}}), "it is not for these");
}

/// The run gets no further than that.
TEST(Shapes, NothingToWriteRunsNoTask) {
  static constexpr MatrixParameter matrices[] = {matrix("A", m, k, "m x k", false), matrix("C", m, n, "m x n")};
  static constexpr TaskClass task{.kernel = "never",
                                  .run = [](const TaskView &) -> int { throw std::runtime_error("ran"); }};
  Algorithm syrk = algorithm(matrices);
  syrk.generate = [](Generator &tasks, const Arguments &arguments) {
    TileTable &A = tasks.matrix(*arguments.matrices[0], "A");
    append(tasks, task, 0, {}, {readWrite(A, 0, 0)});
    throw std::runtime_error("behind a task");
  };
  EXPECT_EQ(say(syrk, {{5, 9}, {5, 0}}), "nothing to do");
}
} // namespace
