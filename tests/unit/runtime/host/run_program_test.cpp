#include "runtime/host/files/npy.hpp"
#include "runtime/interfaces/starter.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/generated/run_program.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tla::host {
namespace {
using test::RunResult;
using test::TemporaryFolder;
using Json = nlohmann::ordered_json;

/// On the reference kernels: the tests need no BLAS.
RunResult run(const runtime::Algorithm &algorithm, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--kernels", "reference"});
  return test::runProgram(algorithm, arguments);
}
TEST(RunProgram, ReportsAFineRun) {
  const RunResult result = run(test::cholesky<double>(), {"-n", "100", "--nb", "32", "--threads", "2"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.find("cholesky, double: n = 100, nb = 32, 2 threads, reference kernels\n"), 0u) << result.out;
  EXPECT_NE(result.out.find("input     A: spd"), std::string::npos);
  EXPECT_NE(result.out.find(" passed  (probe, threshold 30)"), std::string::npos);
}

TEST(RunProgram, EveryTypeAndMode) {
  for (const char *mode : {"--check", "--check=full", "--no-check", "--serial"}) {
    EXPECT_EQ(run(test::cholesky<double>(), {"-n", "70", "--nb", "16", mode}).code, 0);
    EXPECT_EQ(run(test::cholesky<float>(), {"-n", "70", "--nb", "16", mode}).code, 0);
    EXPECT_EQ(run(test::cholesky<std::complex<double>>(), {"-n", "70", "--nb", "16", mode}).code, 0);
  }
  EXPECT_EQ(run(test::posv<double>(), {"-n", "40", "--nb", "64"}).code, 0);
  EXPECT_EQ(run(test::gemm<double>(), {"-n", "40", "-m", "30", "-k", "20", "--set", "opA=Trans", "--nb", "7"}).code, 0);
}

TEST(RunProgram, JsonKeysAreStable) {
  ::setenv(starterVariable,
           toText({.hetc = "hetc", .file = "f.tla", .type = "d", .compileSeconds = 1.25, .cached = true}).c_str(), 1);
  const RunResult result =
      run(test::cholesky<double>(), {"-n", "100", "--nb", "32", "--threads", "2", "--json", "--repeat", "3"});
  ::unsetenv(starterVariable);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("cholesky, double"), std::string::npos) << "the readable report goes to standard error";
  const Json json = Json::parse(result.out);
  std::vector<std::string> keys;
  for (const auto &[key, value] : json.items())
    keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"algorithm",
                                            "type",
                                            "m",
                                            "n",
                                            "k",
                                            "nb",
                                            "threads",
                                            "ranks",
                                            "dist",
                                            "seconds",
                                            "gflops",
                                            "residual",
                                            "passed",
                                            "info",
                                            "tasks",
                                            "messages",
                                            "bytes",
                                            "compile_seconds",
                                            "cached",
                                            "check",
                                            "kernels",
                                            "march",
                                            "seed",
                                            "repeat",
                                            "seconds_min",
                                            "seconds_max",
                                            "search_seconds",
                                            "tuned",
                                            "per_rank",
                                            "generator",
                                            "devices",
                                            "tile",
                                            "split",
                                            "slice",
                                            "device_weights",
                                            "host_weight",
                                            "device_grid_rows",
                                            "task_order",
                                            "task_shares",
                                            "machine",
                                            "critical_path",
                                            "iterations",
                                            "error",
                                            "verdict"}));
  EXPECT_EQ(json["algorithm"], "cholesky");
  EXPECT_EQ(json["type"], "d");
  EXPECT_TRUE(json["m"].is_null());
  EXPECT_EQ(json["n"], 100);
  EXPECT_EQ(json["nb"], 32);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["ranks"], 1);
  EXPECT_EQ(json["dist"], "2dbc:1x1");
  EXPECT_EQ(json["per_rank"].size(), 1u);
  EXPECT_EQ(json["tasks"], 20);
  EXPECT_EQ(json["passed"], true);
  EXPECT_EQ(json["compile_seconds"], 1.25);
  EXPECT_EQ(json["cached"], true);
  EXPECT_EQ(json["repeat"], 3);
  EXPECT_LE(json["seconds_min"], json["seconds"]);
  EXPECT_GT(json["gflops"], 0);
  EXPECT_TRUE(json["error"].is_null());
}

TEST(RunProgram, JsonIntoAFile) {
  TemporaryFolder folder;
  const RunResult result = run(test::cholesky<double>(), {"-n", "10", "--json=" + folder.path("r.json"), "--stats"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("cholesky, double"), std::string::npos);
  const Json json = Json::parse(test::readFile(folder.path("r.json")));
  EXPECT_EQ(json["statistics"]["classes"][0]["kernel"], "potrf");
}

TEST(RunProgram, StatsAndTrace) {
  TemporaryFolder folder;
  const RunResult result =
      run(test::cholesky<double>(), {"-n", "100", "--nb", "32", "--stats", "--trace", folder.path("t.json")});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("cholesky.tla:19"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("busy"), std::string::npos);
  int tasks = 0;
  for (const Json &event : Json::parse(test::readFile(folder.path("t.json"))))
    tasks += event["ph"] == "X";
  EXPECT_EQ(tasks, 20);
}

TEST(RunProgram, QuietSaysNothing) {
  const RunResult result = run(test::cholesky<double>(), {"-n", "10", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(RunProgram, EmptyProblemsPass) {
  for (const auto &algorithm : {test::cholesky<double>(), test::gemm<double>()}) {
    const RunResult result = run(algorithm, {"-n", "0", "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    const Json json = Json::parse(result.out);
    EXPECT_EQ(json["info"], 0);
    EXPECT_EQ(json["passed"], true);
  }
}

TEST(RunProgram, RepeatedRunsGetFreshData) {
  EXPECT_EQ(run(test::cholesky<double>(), {"-n", "50", "--repeat", "4"}).code, 0);
}

TEST(RunProgram, InputAndOutputFiles) {
  TemporaryFolder folder;
  const auto input =
      folder.write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 4\n2 1 2\n2 2 5\n3 3 9\n");
  const RunResult result =
      run(test::cholesky<double>(), {"--input", "A=" + input, "--output", "A=" + folder.path("l.npy")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(folder.files().size(), 2u);
  const auto file = openMatrixFile(folder.path("l.npy"));
  std::vector<double> L(9);
  file->fill({ElementType::D, L.data(), 0, 0, 3, 3, 3});
  const std::vector<double> expected{2, 1, 0, 0, 2, 0, 0, 0, 3};
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(L[i], expected[i], 1e-15);
}

TEST(RunProgram, WrongInputIsExitCode2) {
  TemporaryFolder folder;
  const auto expect = [](const RunResult &result, const std::string &message) {
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "hetc: " + message + "\n");
  };
  const auto cholesky = test::cholesky<double>();
  expect(run(cholesky, {}), "how large? give -n or an --input file (A is n x n)");
  expect(run(cholesky, {"-n", "-5"}), "-n must be between 0 and 2147483647, not -5");
  expect(run(cholesky, {"-n", "5", "--generate", "A=spc"}),
         "unknown generator 'spc' for A; known are random, spd, hermitian, dominant, lower, upper, matern, toeplitz, "
         "hilbert, minij, "
         "identity or "
         "zero; did you "
         "mean 'spd'?");
  expect(run(cholesky, {"-n", "5", "--output", "A=" + folder.path("no/l.npy")}),
         "--output: cannot write " + folder.path("no/l.npy") + ": no such file or directory");
  expect(run(cholesky, {"-n", "5", "--output", "A=l.mtx"}), "--output: l.mtx: matrices are written as .npy files");
  expect(run(test::potrs<double>(), {"-n", "5", "--output", "L=l.npy"}), "--output: potrs does not write L");
  expect(run(cholesky, {"-n", "5", "--input", "A=" + folder.path("x.npy")}),
         "cannot read " + folder.path("x.npy") + ": no such file or directory");
  expect(run(test::gemm<double>(), {"-n", "5", "--serial"}), "--serial: gemm was compiled without its serial elision");
  EXPECT_TRUE(folder.files().empty());
}

TEST(RunProgram, AbsurdMemoryIsRefusedAtOnce) {
  static int programs;
  programs = 0;
  runtime::Algorithm algorithm = test::cholesky<std::complex<double>>();
  algorithm.generate = [](runtime::Generator &, const runtime::Arguments &) { ++programs; };
  for (const char *n : {"1000000", "2147483647"}) {
    const RunResult result = run(algorithm, {"-n", n, "--json"});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err.find("hetc: needs "), 0u) << result.err;
    EXPECT_NE(result.err.find(" available; use a smaller problem"), std::string::npos) << result.err;
    EXPECT_EQ(Json::parse(result.out)["passed"], false);
  }
  EXPECT_EQ(programs, 0) << "neither counted, nor sampled, nor run";
}

TEST(RunProgram, NumericalStopIsExitCode3) {
  TemporaryFolder folder;
  // Positive definite up to order 5 of 7; tiles of 2.
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n7 7 7\n";
  for (int i = 1; i <= 7; ++i)
    text += std::to_string(i) + " " + std::to_string(i) + (i == 6 ? " -1\n" : " 1\n");
  const auto input = folder.write("a.mtx", text);
  const RunResult result = run(test::cholesky<double>(), {"--input", "A=" + input, "--nb", "2", "--json", "--output",
                                                          "A=" + folder.path("l.npy")});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(
      result.err,
      "hetc: cholesky: the leading minor of order 6 is not positive definite (potrf on A(2, 2), cholesky.tla:9)\n");
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["info"], 6);
  EXPECT_EQ(json["passed"], false);
  EXPECT_TRUE(json["error"].is_string());
  EXPECT_EQ(folder.files().size(), 1u) << "nothing is written";
}

TEST(RunProgram, AWrongResultIsExitCode1) {
  runtime::Algorithm broken = test::cholesky<double>();
  broken.generate = [](runtime::Generator &, const runtime::Arguments &) {};
  const RunResult result = run(broken, {"-n", "50", "--json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(Json::parse(result.out)["passed"], false);
  EXPECT_GT(Json::parse(result.out)["residual"], 30);
  EXPECT_NE(result.err.find("FAILED"), std::string::npos);
}

TEST(RunProgram, AFaultIsExitCode4) {
  const RunResult result = run(test::faulty(), {"-n", "50", "--nb", "20"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err, "hetc: faulty: the disk is on fire (burn on A(1, 0), faulty.tla:7)\n");
}

TEST(RunProgram, ManyThreadsAreAWarning) {
  const RunResult result = run(test::cholesky<double>(), {"-n", "50", "--threads", "1024", "--nb", "10"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err.find("hetc: warning: --threads 1024 on "), 0u) << result.err;
}

TEST(RunProgram, ProgressOnRequest) {
  runtime::Algorithm algorithm = test::sleeper();
  algorithm.generate = [](runtime::Generator &, const runtime::Arguments &) { // lasts until the bar is there
    const auto isThere = [] {
      char text[1024]; // of the file that takes what is written
      const ssize_t size = ::pread(STDERR_FILENO, text, sizeof text, 0);
      return size > 0 && std::string_view(text, size).find('\r') != std::string_view::npos;
    };
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!isThere() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const RunResult result = run(algorithm, {"-n", "50", "--no-check", "--progress", "always"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.err.find("\rsleeper"), std::string::npos);
  EXPECT_EQ(result.err.substr(result.err.size() - 4), "\r\033[K") << "the bar is wiped at the end";
}

TEST(RunProgram, HelpIsFine) {
  const RunResult result = run(test::gemm<double>(), {"--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("--generate"), std::string::npos);
}

/// Runs in a child process, signals it `times` times when a task has begun, and returns how it ended: only a signal can
/// end it. What it says goes to the file `says`.
int signalled(int signal, std::string size, int times = 1, const std::string &says = "/dev/null") {
  int begun[2];
  if (::pipe(begun) != 0)
    return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    char name[] = "sleeper", n[] = "-n", quiet[] = "--quiet";
    char *argv[] = {name, n, size.data(), quiet, nullptr};
    if (!std::freopen(says.c_str(), "w", stderr))
      ::_exit(99);
    const int code = runProgram(test::sleeper(begun[1]), 4, argv);
    std::fflush(stderr);
    ::_exit(code);
  }
  ::close(begun[1]);
  char byte;
  EXPECT_EQ(::read(begun[0], &byte, 1), 1) << "no task has begun";
  ::close(begun[0]);
  for (int k = 0; k < times; ++k)
    ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RunProgram, SignalsStopTheWorkers) {
  EXPECT_EQ(signalled(SIGINT, "50"), 130);
  EXPECT_EQ(signalled(SIGTERM, "50"), 143);
}

/// As 'timeout' does, which signals the process and then its group.
TEST(RunProgram, ASignalThatComesTwiceIsOne) {
  const TemporaryFolder folder;
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(signalled(SIGINT, "50", 30, folder.path("err")), 130);
    std::ifstream in(folder.path("err"));
    const std::string text(std::istreambuf_iterator<char>(in), {});
    ASSERT_EQ(text, "hetc: sleeper: interrupted\n");
  }
}

TEST(RunProgram, SignalsStopTheSearchForATileSize) {
  TemporaryFolder cache;
  ::setenv("HETC_CACHE_DIR", cache.path("").c_str(), 1);
  EXPECT_EQ(signalled(SIGINT, "1000"), 130); // its first task is in the sample
  ::unsetenv("HETC_CACHE_DIR");
  EXPECT_TRUE(cache.files().empty());
}
} // namespace
} // namespace tla::host
