// Counting instead of running: choices, bounds, reports. That the counts are right is tests/unit/runtime/core's.
#include "runtime/predict/commands/cost_bounds.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

/// Refers to the algorithm.
std::unique_ptr<Problem> problemOf(const runtime::Algorithm &algorithm, long m, long n, long k, int nb) {
  Settings settings;
  settings.m = m;
  settings.n = n;
  settings.k = k;
  auto problem = describeProblem(algorithm, settings);
  problem->nb = nb;
  return problem;
}

Json costOf(const runtime::Algorithm &algorithm, Strings arguments) {
  arguments.insert(arguments.begin(), "cost");
  arguments.insert(arguments.end(), {"--json", "--quiet"});
  const test::RunResult result = test::runProgram(algorithm, arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return result.code == 0 ? Json::parse(result.out) : Json();
}

std::string errorOf(const runtime::Algorithm &algorithm, Strings arguments) {
  const test::RunResult result = test::runProgram(algorithm, arguments);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  return result.err;
}

TEST(CostCommand, RanksByBytes) {
  const Json ranking = costOf(test::cholesky<double>(), {"--tiles", "72", "--compare", "2dbc:2x3,sbc:6"});
  ASSERT_EQ(ranking.size(), 2u);
  EXPECT_EQ(ranking[0]["dist"], "sbc:6");
  EXPECT_EQ(ranking[1]["dist"], "2dbc:2x3");
  EXPECT_NEAR(ranking[0]["sends_per_tile"].get<double>(), 2.00, 0.005);
  EXPECT_NEAR(ranking[1]["sends_per_tile"].get<double>(), 2.89, 0.005);
}

TEST(CostCommand, JsonKeysAreStable) {
  const Json cost = costOf(test::cholesky<float>(), {"--tiles", "9", "--nb", "10", "--dist", "2dbc:2x1"});
  Strings keys, nodeKeys;
  for (const auto &[key, value] : cost.items())
    keys.push_back(key);
  for (const auto &[key, value] : cost["per_node"][0].items())
    nodeKeys.push_back(key);
  EXPECT_EQ(keys, (Strings{"dist", "nodes", "tasks", "flops", "messages", "bytes", "sends_per_tile",
                           "critical_path_tasks", "critical_path_flops", "memory_bytes", "lower_bound_bytes",
                           "per_node", "generator", "task_order", "tile", "split", "slice"}));
  EXPECT_EQ(nodeKeys, (Strings{"tasks", "flops", "messages", "bytes", "received", "received_bytes", "memory_bytes",
                               "owned_bytes", "temporary_bytes", "least_temporary_bytes", "node_bytes", "devices"}));
  EXPECT_EQ(cost["tasks"], 165);                // T (T + 1) (T + 2) / 6
  EXPECT_EQ(cost["critical_path_tasks"], 25);   // potrf, trsm, herk of every step
  EXPECT_EQ(cost["critical_path_flops"], 25e3); // a task says 1000
  EXPECT_EQ(cost["bytes"], cost["messages"].get<int>() * 10 * 10 * 4);
  EXPECT_EQ(cost["per_node"].size(), 2u);
}

TEST(CostCommand, TakesTheBestOfAFamily) {
  EXPECT_EQ(costOf(test::gemm<double>(), {"--tiles", "12", "--dist", "2dbc", "--nodes", "12"})["dist"], "2dbc:3x4");
  EXPECT_EQ(costOf(test::cholesky<double>(), {"--tiles", "30", "--dist", "auto", "--nodes", "6"})["dist"], "sbc:6");
  const Json ranking =
      costOf(test::cholesky<double>(), {"--tiles", "30", "--compare", "2dbc,sbc,2dbc:3x2,v=2,row:6", "--nodes", "6"});
  EXPECT_EQ(ranking.size(), 4u);
}

TEST(CostCommand, SaysWhatIsWrong) {
  const runtime::Algorithm algorithm = test::cholesky<double>();
  const auto error = [&](Strings arguments) {
    arguments.insert(arguments.begin(), "cost");
    return errorOf(algorithm, arguments);
  };
  EXPECT_EQ(error({"--tiles", "8"}), "hetc: which distribution? give --dist, for example --dist 2dbc:2x3, or several "
                                     "with --compare\n");
  EXPECT_NE(error({"--tiles", "8", "--dist", "sbc:7"}).find("the nearest are 6 and 8"), std::string::npos);
  EXPECT_NE(error({"--tiles", "8", "--dist", "2dcb:1x1"}).find("did you mean '2dbc'?"), std::string::npos);
  EXPECT_NE(error({"--tiles", "8", "--compare", "2dbc"}).find("give --nodes"), std::string::npos);
  EXPECT_NE(error({"--tiles", "8", "-n", "8", "--dist", "2dbc:1x2"}).find("not both"), std::string::npos);
  EXPECT_NE(error({"--tiles", "1000000", "--dist", "2dbc:1x2"}).find("tasks would have to be counted"),
            std::string::npos);
  EXPECT_NE(error({"--tiles", "-3", "--dist", "2dbc:1x2"}).find("--tiles must be"), std::string::npos);
  EXPECT_NE(error({"--tiles", "8", "--dist", "2dbc:1x2", "--nodez", "4"}).find("unknown option '--nodez'"),
            std::string::npos);
}

TEST(FakeRank, CountsWhatTheRankWouldDo) {
  const Json cost = costOf(test::cholesky<double>(), {"--tiles", "12", "--dist", "sbc:6"});
  for (int rank = 0; rank < 6; ++rank) {
    const test::RunResult result =
        test::runProgram(test::cholesky<double>(), {"--tiles", "12", "--dist", "sbc:6", "--fake-rank",
                                                    std::to_string(rank) + "/6", "--json", "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json fake = Json::parse(result.out);
    EXPECT_EQ(fake["own_tasks"], cost["per_node"][rank]["tasks"]);
    EXPECT_EQ(fake["own_sends"], cost["per_node"][rank]["messages"]);
    EXPECT_EQ(fake["own_receives"], cost["per_node"][rank]["received"]);
    EXPECT_EQ(fake["visited"], cost["tasks"]);
  }
  const auto error = [](const char *rank) {
    return errorOf(test::cholesky<double>(), {"--tiles", "8", "--dist", "sbc:6", "--fake-rank", rank});
  };
  EXPECT_NE(error("1/4").find("4 ranks"), std::string::npos);
  EXPECT_NE(error("6/6").find("0 to 5"), std::string::npos);
}

TEST(ChooseDistribution, IsTheSameWhateverTheSize) {
  for (const long tiles : {40, 90, 400})
    EXPECT_EQ(chooseDistribution(*problemOf(test::cholesky<double>(), 0, 100 * tiles, 0, 100), 6, Effort::Quick)
                  .distribution.name(),
              "sbc:6");
  for (const int nodes : {4, 12, 496}) {
    const DistributionChoice choice =
        chooseDistribution(*problemOf(test::gemm<double>(), 40000, 40000, 40000, 100), nodes, Effort::Quick);
    EXPECT_EQ(choice.distribution.name(), nodes == 4 ? "2dbc:2x2" : nodes == 12 ? "2dbc:3x4" : "2dbc:16x31");
    EXPECT_LT(choice.counted.n, 40000);
  }
}

/// Numbers of nodes that no grid suits, and the families.
TEST(ChooseDistribution, KnowsGeneralizedGrids) {
  const runtime::Algorithm cholesky = test::cholesky<double>();
  const auto problem = problemOf(cholesky, 0, 6000, 0, 100);
  const auto chosen = [&](int nodes, Family family) {
    return chooseDistribution(*problem, nodes, Effort::Thorough, family);
  };
  const auto bytes = [](const DistributionChoice &choice) {
    for (const DistributionChoice::Candidate &candidate : choice.candidates)
      if (candidate.distribution == choice.distribution)
        return candidate.bytes;
    return 0.0;
  };
  for (const int nodes : {7, 23}) {
    const std::string name = "g2dbc:" + std::to_string(nodes) + ",reflected";
    EXPECT_TRUE(chosen(nodes, Family::Any).distribution.name().starts_with(name));
    EXPECT_TRUE(chosen(nodes, Family::Generalized).distribution.name().starts_with(name));
    EXPECT_TRUE(chosen(nodes, Family::Grid).distribution.name().starts_with("2dbc:1x"));
    EXPECT_LT(bytes(chosen(nodes, Family::Any)), 0.7 * bytes(chosen(nodes, Family::Grid)));
  }
  EXPECT_TRUE(chosen(12, Family::Generalized).distribution.name().starts_with("2dbc:3x4"));
}

/// Bytes and an even share of the work; what is no better than plain is not taken.
TEST(ChooseDistribution, SharesTheWork) {
  const auto chosenFor = [](int tiles) {
    return chooseDistribution(*problemOf(test::cholesky<double>(), 0, 100 * tiles, 0, 100), 2, Effort::Quick)
        .distribution.name();
  };
  EXPECT_EQ(chosenFor(20), "2dbc:1x2,reflected=0:1");
  EXPECT_EQ(chosenFor(24), "2dbc:1x2,reflected=0:1");
  EXPECT_EQ(chosenFor(22), "2dbc:1x2,reflected=0:2");
  EXPECT_EQ(
      chooseDistribution(*problemOf(test::gemm<double>(), 2000, 2000, 2000, 100), 2, Effort::Quick).distribution.name(),
      "2dbc:1x2");
}

/// A search for the fastest looks at these, and not at a grid that moves ten times the bytes.
TEST(ChooseDistribution, HasContendersOfNearlyAsFewBytes) {
  const auto names = [](const Problem &problem) {
    std::vector<std::string> result;
    for (const Distribution &each : contenders(chooseDistribution(problem, 2, Effort::Quick)))
      result.push_back(each.name());
    return result;
  };
  const std::vector<std::string> ofCholesky = names(*problemOf(test::cholesky<double>(), 0, 2000, 0, 100));
  EXPECT_EQ(ofCholesky.front(), "2dbc:1x2,reflected=0:1");
  EXPECT_EQ(std::set(ofCholesky.begin(), ofCholesky.end()).size(), 6u) << "the rows of a triangle do as well";
  const std::vector<std::string> ofGemm = names(*problemOf(test::gemm<double>(), 20000, 2000, 2000, 100));
  EXPECT_EQ(ofGemm, (std::vector<std::string>{"2dbc:2x1", "2dbc:2x1,reflected", "2dbc:2x1,reflected=1:0"}));
}

/// On few tiles for each node unevenness decides, which is another on the problem itself.
TEST(ChooseDistribution, IsThatOfTheProblemAndNotOfASmallerOne) {
  const runtime::Algorithm cholesky = test::cholesky<double>();
  const auto problem = problemOf(cholesky, 0, 20000, 0, 100);
  for (const Effort effort : {Effort::Quick, Effort::Thorough})
    EXPECT_EQ(chooseDistribution(*problem, 100, effort).distribution.name(), "2dbc:10x10,reflected");
  const long quick = chooseDistribution(*problem, 100, Effort::Quick).counted.n;
  EXPECT_LT(quick, 10000);
  EXPECT_GT(chooseDistribution(*problem, 100, Effort::Thorough).counted.n, 2 * quick);
}

TEST(ChooseDistribution, HasAllNodesAlsoForNothing) {
  for (const int tiles : {0, 1})
    for (const Effort effort : {Effort::Quick, Effort::Thorough}) {
      const runtime::Algorithm cholesky = test::cholesky<double>();
      const auto problem = problemOf(cholesky, 0, 100L * tiles, 0, 100);
      EXPECT_EQ(chooseDistribution(*problem, 3, effort).distribution.nodes(), 3) << tiles << " tiles";
    }
}

/// Estimates from smaller problems are estimates for every shape.
TEST(ChooseDistribution, HasAllNodesForAllShapes) {
  const runtime::Algorithm gemm = test::gemm<double>();
  for (const long m : {1, 3, 60, 700})
    for (const long n : {1, 3, 60, 700})
      for (const long k : {1, 3, 60, 700})
        for (const int nodes : {3, 16}) {
          const auto problem = problemOf(gemm, 100 * m, 100 * n, 100 * k, 100);
          EXPECT_EQ(chooseDistribution(*problem, nodes, Effort::Quick).distribution.nodes(), nodes)
              << m << " " << n << " " << k;
        }
}

TEST(ChooseDistribution, FollowsTheShape) {
  EXPECT_EQ(chooseDistribution(*problemOf(test::gemm<double>(), 40000, 4000, 4000, 100), 4, Effort::Quick)
                .distribution.name(),
            "2dbc:4x1");
  EXPECT_EQ(chooseDistribution(*problemOf(test::gemm<double>(), 4000, 40000, 4000, 100), 4, Effort::Quick)
                .distribution.name(),
            "2dbc:1x4");
}

TEST(ChooseDistribution, SymmetricOnesForTriangles) {
  EXPECT_TRUE(isSymmetric(*problemOf(test::cholesky<double>(), 0, 1000, 0, 100)));
  EXPECT_TRUE(isSymmetric(*problemOf(test::posv<double>(), 0, 1000, 3, 100))); // a few vectors beside it
  EXPECT_FALSE(isSymmetric(*problemOf(test::posv<double>(), 0, 1000, 300, 100)));
  EXPECT_FALSE(isSymmetric(*problemOf(test::gemm<double>(), 1000, 1000, 1000, 100)));
}

/// One node per block row of A and C needs all of B, and nothing else: the bound is reached.
TEST(LowerBound, IsReachedByTallProducts) {
  const Json cost =
      costOf(test::gemm<double>(), {"-m", "4000", "-n", "400", "-k", "400", "--nb", "100", "--dist", "2dbc:4x1"});
  EXPECT_NEAR(cost["lower_bound_bytes"].get<double>(), cost["bytes"].get<double>(), 1);
}

TEST(LowerBound, IsNeverAboveWhatIsCounted) {
  int bounds = 0;
  for (const runtime::Algorithm &algorithm : {test::cholesky<double>(), test::gemm<double>()})
    for (const int nodes : {2, 6, 8, 28, 64})
      for (const char *window : {"1", "16", "8192"})
        for (const Distribution &candidate : candidateDistributions(nodes, true, {32, 32})) {
          const Json cost =
              costOf(algorithm, {"--tiles", "32", "--nb", "7", "--dist", candidate.name(), "--window", window});
          if (cost["lower_bound_bytes"].is_null())
            continue;
          ++bounds;
          EXPECT_LE(cost["lower_bound_bytes"].get<double>(), cost["bytes"].get<double>())
              << algorithm.name << " " << candidate.name() << " window " << window;
        }
  EXPECT_GT(bounds, 20);
}

// One device, whose memory is that of its profile: without --dist it is one node.
TEST(LowerBound, OfADevice) {
  const auto costOn = [](const char *memory, const char *order) {
    return costOf(test::gemm<double>(), {"-m", "8192", "-n", "8192", "-k", "8192", "--nb", "512", "--devices",
                                         std::string("profile:h100-sxm,mem=") + memory, "--order", order});
  };
  const auto deviceOf = [](const Json &cost) { return cost["per_node"][0]["devices"][0]; };
  const auto moved = [](const Json &device) {
    return device["bytes_in"].get<double>() + device["bytes_out"].get<double>() + device["bytes_peer"].get<double>();
  };
  const double matrix = 8192. * 8192 * 8;
  const Json ample = costOn("4G", "program"), program = costOn("32M", "program"), blocks = costOn("32M", "auto");
  EXPECT_EQ(ample["nodes"], 1);
  EXPECT_EQ(deviceOf(ample)["evicted_bytes"], 0);
  EXPECT_EQ(deviceOf(ample)["least_bytes"].get<double>(), 4 * matrix); // A, B and C in, C out
  EXPECT_EQ(moved(deviceOf(ample)), 4 * matrix);
  const double elements = 32 << 20 >> 3; // of the memory
  const double least = 8 * (2 * std::pow(8192, 3) / std::sqrt(elements) - 2 * elements) + matrix;
  for (const Json &cost : {program, blocks}) {
    EXPECT_NEAR(deviceOf(cost)["least_bytes"].get<double>(), least, 1);
    EXPECT_GT(deviceOf(cost)["evicted_bytes"], 0);
    EXPECT_GT(moved(deviceOf(cost)), least);
  }
  EXPECT_LT(moved(deviceOf(blocks)), 0.7 * moved(deviceOf(program)));
}

TEST(LowerBound, HasTheConstantsOfThePapers) {
  const runtime::Algorithm factorization = test::cholesky<double>(), product = test::gemm<double>();
  const auto cholesky = problemOf(factorization, 0, 1000, 0, 100);
  EXPECT_NEAR(*requiredElements(*cholesky, {.nodes = 4, .memory = 10000, .owned = 0}), 1e9 / (3 * std::sqrt(2) * 100),
              1);
  const auto gemm = problemOf(product, 1000, 1000, 1000, 100);
  EXPECT_NEAR(*requiredElements(*gemm, {.nodes = 4, .memory = 10000, .owned = 0}), 2e9 / 100, 1);
  EXPECT_NEAR(*requiredElements(*gemm, {.nodes = 64, .memory = 1e12, .owned = 3e6}), 64 * 3 * 1e6 / 16 - 3e6, 1);
  EXPECT_FALSE(requiredElements(*cholesky, {.nodes = 2, .memory = 1e12, .owned = 5e5}));
  EXPECT_NEAR(*requiredElements(*cholesky, {.nodes = 64, .memory = 1e12, .owned = 5e5}),
              64 * std::cbrt(2 * std::pow(1000. * 999 * 998 / 6 / 64, 2)) - 5e5, 1);
}
} // namespace
} // namespace tla::host
