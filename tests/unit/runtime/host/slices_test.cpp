// Programs that were split, from the command line to the report. The program on slices is written by hand.
#include "dsl/base/text.hpp"
#include "runtime/host/problem/slices.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

Json jsonOf(const runtime::Algorithm &algorithm, Strings arguments) {
  arguments.insert(arguments.end(), {"--json", "--quiet"});
  const test::RunResult result = test::runProgram(algorithm, arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return result.code == 0 ? Json::parse(result.out) : Json();
}

Cut cutFor(int slices, std::optional<int> slice, int nb, int accelerators) {
  Settings settings;
  settings.slice = slice;
  return chooseCut(test::slicedCholesky<double>(slices), settings, nb, accelerators);
}

TEST(ChooseCut, TheHostGetsAsMuchAsAnAccelerator) {
  EXPECT_EQ(cutFor(3, {}, 192, 3), (Cut{3, 24})); // 48 of 192
  EXPECT_EQ(cutFor(2, {}, 192, 1), (Cut{2, 96}));
  EXPECT_EQ(cutFor(4, {}, 192, 0), (Cut{4, 48}));
  EXPECT_EQ(cutFor(3, 70, 192, 3), (Cut{3, 70}));
}

TEST(ChooseCut, FitsSmallTiles) {
  for (int slices = 2; slices <= 16; ++slices)
    for (int nb = slices; nb < 40; ++nb)
      for (int accelerators = 0; accelerators < 5; ++accelerators)
        EXPECT_TRUE(cutFor(slices, {}, nb, accelerators).fits(nb)) << slices << " " << nb << " " << accelerators;
}

TEST(ChooseCut, Refuses) {
  EXPECT_EQ(
      test::usageError([] { cutFor(3, {}, 2, 1); }),
      "tiles of 2 columns (--nb) cannot be cut into the 3 slices that this program was compiled for; use --nb 3 or "
      "more");
  EXPECT_EQ(
      test::usageError([] { cutFor(3, 96, 192, 1); }),
      "--slice 96: 2 such slices leave of a tile of 192 columns (--nb) nothing for the last one; use --slice 95 or "
      "less");
  Settings settings;
  settings.slice = 8;
  EXPECT_EQ(test::usageError([&] { chooseCut(test::cholesky<double>(), settings, 192, 1); }),
            "--slice: this program was compiled for whole tiles; compile it again with --split=S");
}

TEST(SlicedProgram, PassesItsChecks) {
  for (const char *n : {"1", "37", "100", "131"})
    for (const char *devices : {"none", "emulated:2"})
      for (int slices = 2; slices <= 4; ++slices) {
        SCOPED_TRACE(std::string("n ") + n + " devices " + devices + " slices " + std::to_string(slices));
        const Json run = jsonOf(test::slicedCholesky<std::complex<double>>(slices),
                                {"-n", n, "--nb", "24", "--slice", "5", "--devices", devices, "--check=full"});
        EXPECT_EQ(run["passed"], true);
        EXPECT_EQ(run["tile"], 24);
        EXPECT_EQ(run["split"], slices);
        EXPECT_EQ(run["slice"], 5);
      }
}

TEST(SlicedProgram, DevicesDoWhatTheCostSays) {
  const Strings options = {"-n", "300", "--tile", "64", "--devices", "emulated:3,mem=256K"};
  const auto with = [&](Strings first) {
    first.insert(first.end(), options.begin(), options.end());
    return first;
  };
  const Json run = jsonOf(test::slicedCholesky<double>(3), with({}));
  const Json cost = jsonOf(test::slicedCholesky<double>(3), with({"cost", "--dist", "2dbc:1x1"}));
  EXPECT_EQ(run["passed"], true);
  EXPECT_EQ(cost["slice"], 8); // 64 / 4 for the host
  const Json &counted = cost["per_node"][0]["devices"];
  ASSERT_EQ(run["devices"].size(), 3u);
  ASSERT_EQ(counted.size(), 3u);
  for (int device = 0; device < 3; ++device)
    for (const auto &[key, value] : counted[device].items()) {
      if (key == "evicted_bytes" || key == "least_bytes") // which a run does not say
        continue;
      EXPECT_EQ(run["devices"][device].value(key, Json()), value) << device << " " << key;
    }
  EXPECT_GT(counted[0]["tasks"], 0);
}

TEST(SlicedProgram, SaysWhichSliceFailed) {
  const test::RunResult result =
      test::runProgram(test::slicedCholesky<double>(3),
                       {"-n", "100", "--nb", "24", "--slice", "5", "--generate", "A=zero", "--kernels", "reference"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err,
            "hetc: cholesky: the leading minor of order 1 is not positive definite (potrf on A(0, 0) slice 0, "
            "cholesky.tla:9)\n");
}

TEST(SlicedProgram, ReportsItsTiles) {
  const test::RunResult result =
      test::runProgram(test::slicedCholesky<double>(3), {"-n", "100", "--nb", "24", "--slice", "5"});
  EXPECT_NE(result.out.find("n = 100, nb = 24 in slices of 5, 5, 14, "), std::string::npos) << result.out;
}

/// A tridiagonal matrix of order n, as a file says it.
std::string tridiagonal(int n) {
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n" + format("%d %d %d\n", n, n, 2 * n - 1);
  for (int j = 1; j <= n; ++j) {
    text += format("%d %d 4\n", j, j);
    if (j < n)
      text += format("%d %d 1\n", j + 1, j);
  }
  return text;
}

TEST(SlicedProgram, ReadsAndWritesFiles) {
  const test::TemporaryFolder folder;
  const std::string input = "A=" + folder.write("A.mtx", tridiagonal(100));
  const auto factor = [&](const runtime::Algorithm &algorithm, const char *file) {
    const test::RunResult result =
        test::runProgram(algorithm, {"--input", input, "--nb", "24", "--output", "A=" + folder.path(file), "--quiet"});
    EXPECT_EQ(result.code, 0) << result.err;
    const std::string bytes = test::readFile(folder.path(file));
    std::vector<double> numbers(100 * 100); // behind the header
    std::memcpy(numbers.data(), bytes.data() + bytes.size() - sizeof(double) * numbers.size(),
                sizeof(double) * numbers.size());
    return numbers;
  };
  const std::vector<double> whole = factor(test::cholesky<double>(), "whole.npy"),
                            sliced = factor(test::slicedCholesky<double>(3), "sliced.npy");
  EXPECT_EQ(whole[0], 2);
  for (std::size_t i = 0; i < whole.size(); ++i)
    ASSERT_NEAR(sliced[i], whole[i], 1e-14) << i;
}

} // namespace
} // namespace tla::host
