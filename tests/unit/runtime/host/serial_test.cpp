// The serial elision: what is known after it and what is not.
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tla::host {
namespace {
using test::RunResult;
using Json = nlohmann::ordered_json;

RunResult run(const runtime::Algorithm &algorithm, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--serial", "--nb", "16", "--kernels", "reference"});
  return test::runProgram(algorithm, arguments);
}

TEST(Serial, InfoIsNotKnown) {
  const RunResult fine = run(test::cholesky<double>(), {"-n", "50", "--json", "--stats"});
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_TRUE(Json::parse(fine.out)["info"].is_null());
  EXPECT_EQ(Json::parse(fine.out)["passed"], true);
  EXPECT_NE(fine.err.find("  info      not reported by the serial elision\n"), std::string::npos) << fine.err;
  EXPECT_NE(fine.err.find("no statistics"), std::string::npos) << fine.err;
  const RunResult tasks = test::runProgram(test::cholesky<double>(), {"-n", "50", "--kernels", "reference"});
  EXPECT_EQ(tasks.out.find("info"), std::string::npos);
}

TEST(Serial, NoFactorNeverPasses) {
  for (const char *mode : {"--check=probe", "--check=full"}) {
    for (const char *generator : {"A=zero", "A=hilbert"}) { // a Hilbert matrix of this order is not positive definite
      // One tile: with more the division by zero makes NaN.
      const RunResult result = run(test::cholesky<double>(), {"-n", "16", "--json", "--generate", generator, mode});
      EXPECT_EQ(result.code, 1) << generator;
      EXPECT_EQ(Json::parse(result.out)["passed"], false);
      EXPECT_NE(result.err.find("FAILED"), std::string::npos);
    }
    EXPECT_EQ(run(test::cholesky<double>(), {"-n", "0", mode}).code, 0);
  }
}

TEST(Serial, AZeroMatrixIsNotSolved) {
  runtime::Algorithm posv = test::posv<double>();
  posv.serial = [](const runtime::Arguments &) {};
  for (const char *mode : {"--check=probe", "--check=full"})
    EXPECT_EQ(run(posv, {"-n", "10", "--generate", "A=zero", "--generate", "B=zero", mode}).code, 1);
}

TEST(Serial, ExceptionsAreFaults) {
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.serial = [](const runtime::Arguments &) { throw std::runtime_error("the disk is on fire"); };
  RunResult result = run(algorithm, {"-n", "10"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err, "hetc: cholesky: the disk is on fire\n");
  algorithm.serial = [](const runtime::Arguments &) { throw 42; };
  result = run(algorithm, {"-n", "10"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err, "hetc: cholesky: a kernel or the program's loops threw something that is no std::exception\n");
}
} // namespace
} // namespace tla::host
