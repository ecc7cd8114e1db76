#include "runtime/distribution/distribution.hpp"
#include "tests/support/transport/local_network.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/generated/call.hpp>
#include <tla/runtime/ranks.hpp>

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <thread>

namespace tla::runtime {
namespace {
using test::usageError;

Distribution parsed(const std::string &text) { return parseDistribution(text); }

/// ScaLAPACK's numroc, from process 0 on.
long numroc(long n, long nb, long process, long processes) {
  const long blocks = n / nb, extra = blocks % processes;
  return blocks / processes * nb + (process < extra ? nb : process == extra ? n % nb : 0);
}

TEST(LocalPart, IsScalapacksOnABlockCyclicGrid) {
  const Distribution grid = Distribution::blockCyclic(2, 3);
  for (const int m : {0, 1, 7, 8, 9, 40, 41})
    for (int rank = 0; rank < 6; ++rank) {
      const LocalPart part(grid, rank, m, 2 * m, 4, 4);
      EXPECT_EQ(part.rows(), numroc(m, 4, rank / 3, 2)) << m << " on " << rank;
      EXPECT_EQ(part.columns(), numroc(2 * m, 4, rank % 3, 3)) << m << " on " << rank;
    }
  const LocalPart part(grid, 4, 11, 7, 2, 2);
  EXPECT_EQ(part.rowIndices(), (std::vector{2, 3, 6, 7, 10}));
  EXPECT_EQ(part.columnIndices(), (std::vector{2, 3}));
}

TEST(LocalPart, PartsOfAllRanksAreTheMatrix) {
  for (const char *const text : {"2dbc:1x1", "2dbc:3x2,v=2", "2dbc:2x2,reflected=1:3", "row:5", "col:4"}) {
    const Distribution distribution = parsed(text);
    std::set<std::pair<int, int>> elements;
    std::size_t count = 0;
    for (int rank = 0; rank < distribution.nodes(); ++rank) {
      const LocalPart part(distribution, rank, 23, 17, 3, 2);
      for (const int i : part.rowIndices())
        for (const int j : part.columnIndices()) {
          elements.insert({i, j});
          ++count;
          EXPECT_EQ(distribution.node(i / 3, j / 2), rank) << text;
        }
    }
    EXPECT_EQ(elements.size(), 23U * 17U) << text;
    EXPECT_EQ(count, 23U * 17U) << text;
  }
}

TEST(LocalPart, IsOfRowsAndColumns) {
  EXPECT_NE(usageError([] { LocalPart(parsed("sbc:6"), 0, 10, 10, 2, 2); }).find("sbc:6"), std::string::npos);
  EXPECT_NE(usageError([] { LocalPart(parsed("2dbc:1x2,copies=2"), 0, 10, 10, 2, 2); }).find("copies"),
            std::string::npos);
}

TEST(LocalPart, TilesAreWindowsOnTheLocalArray) {
  const LocalPart part(Distribution::blockCyclic(2, 2), 1, 10, 10, 4, 4); // rows 0..3, 8, 9; columns 4..7
  std::vector<double> local(7 * 4);
  Storage storage(10, 10, 4, 4, sizeof(double), Shape::General);
  part.wrap(storage, local.data(), 7, "A");
  EXPECT_EQ(storage.tile(0, 1), local.data());
  EXPECT_EQ(storage.tile(2, 1), local.data() + 4);
  EXPECT_EQ(storage.ld(2), 7);
  EXPECT_EQ(storage.tile(0, 0), nullptr);
  EXPECT_EQ(storage.tile(1, 1), nullptr);
  EXPECT_EQ(usageError([&] { part.wrap(storage, local.data(), 5, "A"); }),
            "A has 6 rows here, more than its leading dimension 5");
  EXPECT_EQ(usageError([&] { part.wrap(storage, nullptr, 7, "A"); }),
            "A has 6 x 4 elements here, but its array is null");
}

double element(int i, int j) { return i == j ? 100 : 1.0 / (1 + std::abs(i - j)); }

/// body(ranks) on a thread for each of four.
void onFour(const std::string &distribution, const std::function<void(RankExecutor &)> &body) {
  LocalNetwork network(4);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 4; ++rank)
    threads.emplace_back([&, rank] {
      RankExecutor ranks(std::shared_ptr<Transport>(&network.endpoint(rank), [](auto *) {}), distribution,
                         {.threads = 1});
      EXPECT_NO_THROW(body(ranks)) << "rank " << rank;
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(RankExecutor, HasTheBitsOfOneProcess) {
  constexpr int n = 37, nb = 5;
  std::vector<double> whole(n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      whole[i + j * n] = element(i, j);
  const Algorithm cholesky = test::cholesky<double>();
  Executor alone({.threads = 1});
  LowerMatrix<double> A(whole.data(), n, n, nb);
  EXPECT_EQ(call(alone, cholesky, {&A.storage()}, {}).kind, Outcome::Kind::Finished);
  for (const char *const distribution : {"", "row:4", "2dbc:2x2,reflected"})
    onFour(distribution, [&](RankExecutor &ranks) {
      const LocalPart part = ranks.part(n, n, nb);
      const auto leading = static_cast<int>(part.rows() + 2);
      std::vector<double> local(leading * part.columns() + 1, -7);
      for (long q = 0; q < part.columns(); ++q)
        for (long p = 0; p < part.rows(); ++p)
          local[p + q * leading] = element(part.rowIndices()[p], part.columnIndices()[q]);
      const auto L = ranks.matrix<LowerMatrix<double>>(local.data(), n, n, leading, nb);
      EXPECT_EQ(call(ranks, cholesky, {&L.storage()}, {}).kind, Outcome::Kind::Finished);
      for (long q = 0; q < part.columns(); ++q)
        for (long p = 0; p < part.rows(); ++p) {
          const int i = part.rowIndices()[p], j = part.columnIndices()[q];
          EXPECT_EQ(local[p + q * leading], whole[i + j * n]) << i << ", " << j;
        }
      for (long q = 0; q < part.columns(); ++q)
        EXPECT_EQ(local[part.rows() + q * leading], -7);
    });
}

TEST(RankExecutor, WhatIsWrongOnOneRankIsAnErrorOnAll) {
  const Algorithm cholesky = test::cholesky<double>();
  onFour("", [&](RankExecutor &ranks) {
    std::vector<double> local(400);
    const auto run = [&](int n, int nb) {
      const auto A = ranks.matrix<LowerMatrix<double>>(local.data(), n, n, 20, nb);
      call(ranks, cholesky, {&A.storage()}, {});
    };
    EXPECT_EQ(
        usageError([&] { run(ranks.rank() == 2 ? 9 : 10, 2); }),
        "rank 2 has another call than rank 0: cholesky (double) on 2dbc:2x2, A 9 x 9 in tiles of 2 x 2 instead of "
        "cholesky (double) on 2dbc:2x2, A 10 x 10 in tiles of 2 x 2");
    Algorithm tuned = cholesky;
    const int candidates[] = {32, 64};
    const ScalarParameter block{"ib", "int", true, {32, 0, 0}, candidates, 2};
    tuned.scalars = &block;
    tuned.scalarCount = 1;
    const auto A = ranks.matrix<LowerMatrix<double>>(local.data(), 10, 10, 20, 2);
    EXPECT_EQ(usageError([&] { call(ranks, tuned, {&A.storage()}, {{ranks.rank() == 1 ? 0 : 32}}); }),
              "rank 1: cholesky: ib is 0, it must be positive");
    const bool isWrong = ranks.rank() == 3;
    const auto narrow = ranks.matrix<LowerMatrix<double>>(local.data(), 10, 10, isWrong ? 3 : 20, 2);
    EXPECT_EQ(usageError([&] { call(ranks, cholesky, {&narrow.storage()}, {}); }),
              "rank 3: A has 4 rows here, more than its leading dimension 3");
    const auto nowhere = ranks.matrix<LowerMatrix<double>>(isWrong ? nullptr : local.data(), 10, 10, 20, 2);
    EXPECT_EQ(usageError([&] { call(ranks, cholesky, {&nowhere.storage()}, {}); }),
              "rank 3: A has no memory for tile (1, 1), which is this rank's: its array is null, or laid out for other "
              "ranks");
  });
}

/// Copies of the nodes have some matrices by rows, and nothing moves tiles that are elsewhere.
TEST(RankExecutor, HomesOfCopiesAreTheCallersToSay) {
  Algorithm gemm = test::gemm<double>();
  std::vector<MatrixParameter> matrices(gemm.matrices, gemm.matrices + gemm.matrixCount);
  matrices[1].byRows = [](const Values &values) { return values.scalars[1].integer == int(Op::NoTrans); };
  gemm.matrices = matrices.data();
  onFour("2dbc:1x2,copies=2", [&](RankExecutor &ranks) {
    Matrix<double> A(8, 8, 2), B(8, 8, 2), C(8, 8, 2);
    const auto run = [&](Matrix<double> &first, Matrix<double> &second, Op op) {
      call(ranks, gemm, {&first.storage(), &second.storage(), &C.storage()},
           {scalarValue(Op::NoTrans), scalarValue(op), scalarValue(1.0), scalarValue(0.0)});
    };
    EXPECT_EQ(usageError([&] { run(A, B, Op::NoTrans); }),
              "B of gemm is at home by rows with copies of the nodes, and the matrix given is by columns; say "
              "storage().setByRows(true) of it before its tiles are filled, or take another matrix");
    B.storage().setByRows(true);
    EXPECT_EQ(usageError([&] { run(A, B, Op::NoTrans); }), "no error");
    EXPECT_TRUE(B.storage().byRows());
    EXPECT_NE(usageError([&] { run(A, B, Op::Trans); }).find("B of gemm is at home by columns"), std::string::npos);
    EXPECT_NE(usageError([&] { run(B, B, Op::NoTrans); }).find("A of gemm is at home by columns"), std::string::npos);
    EXPECT_EQ(usageError([&] { run(A, A, Op::Trans); }), "no error") << "as the caller had it";
  });
}

TEST(RankExecutor, DistributionsThatDoNotFit) {
  LocalNetwork network(2);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      const std::shared_ptr<Transport> endpoint(&network.endpoint(rank), [](auto *) {});
      EXPECT_EQ(usageError([&] { RankExecutor ranks(endpoint, "2dbc:2x2"); }),
                "the distribution 2dbc:2x2 is for 4 nodes, but the communicator has 2 ranks; 2dbc:1x2 would fit");
      EXPECT_NE(usageError([&] { RankExecutor ranks(endpoint, rank == 0 ? "row:2" : "nonsense"); }).find("rank 1: "),
                std::string::npos);
      EXPECT_EQ(usageError([&] { RankExecutor ranks(endpoint, rank == 0 ? "row:2" : "col:2"); }),
                "rank 1 has another distribution than rank 0: 2dbc:1x2 instead of 2dbc:2x1");
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
} // namespace tla::runtime
