#include "runtime/host/files/matrix_file.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

namespace tla::host {
namespace {
using test::readFile;
using test::RunResult;
using test::TemporaryFolder;
using Json = nlohmann::ordered_json;

constexpr const char *identity = "%%MatrixMarket matrix array real general\n2 2\n4\n0\n0\n4\n";

std::vector<std::string> words(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-n", "10", "--nb", "4", "--threads", "2", "--kernels", "reference"});
  return arguments;
}
RunResult run(const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments) {
  return test::runProgram(algorithm, words(arguments));
}
/// Files may not grow beyond this.
void limitFiles(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(OutputRules, ARejectedFileStaysAsItWas) {
  TemporaryFolder folder;
  runtime::Algorithm cholesky = test::cholesky<double>();
  const std::string source = folder.write("source.tla", "loops"), input = folder.write("a.mtx", identity);
  cholesky.source = source.c_str();
  const auto expect = [&](const std::vector<std::string> &arguments, const std::string &message) {
    const RunResult result = test::runProgram(cholesky, arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "hetc: " + message + "\n");
    EXPECT_EQ(readFile(source), "loops");
    EXPECT_EQ(readFile(input), identity);
  };
  for (const char *option : {"--json", "--trace"}) {
    const std::string name = option;
    expect({"-n", "4", "--quiet", name, source},
           name + ": " + source + " is the source of cholesky; choose another file");
    expect({"--input", "A=" + input, "--quiet", name, input},
           name + ": " + input + " is the --input file of A; choose another file");
  }
  const RunResult self = test::runInChild(cholesky, {"-n", "4", "--json", "/proc/self/exe"}, [] { limitFiles(0); });
  EXPECT_EQ(self.err, "hetc: --json: /proc/self/exe is this program itself; choose another file\n");
  // The other options are checked after --json, and what is wrong with them is told there.
  expect({"-n", "4", "--quiet", "--json", folder.path("r.json"), "--trace", source},
         "--trace: " + source + " is the source of cholesky; choose another file");
  EXPECT_EQ(Json::parse(readFile(folder.path("r.json")))["passed"], false);
}

TEST(OutputRules, EachItsOwnFile) {
  TemporaryFolder folder;
  const std::string x = folder.path("x.npy"), q = folder.path("q");
  const auto expect = [&](const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments,
                          const std::string &message) {
    const RunResult result = run(algorithm, arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "hetc: " + message + "\n");
    EXPECT_TRUE(folder.files().empty());
  };
  expect(test::posv<double>(), {"--output", "A=" + x, "--output", "B=" + folder.path("./x.npy")},
         "--output A and --output B both write " + folder.path("./x.npy"));
  expect(test::cholesky<double>(), {"--trace", q, "--json", q}, "--trace and --json both write " + q);
  expect(test::cholesky<double>(), {"--trace", "-", "--json"}, "--trace and --json both write standard output");
}

TEST(OutputRules, AnOutputMayReplaceItsInput) {
  TemporaryFolder folder;
  const auto cholesky = test::cholesky<double>();
  const std::string a = folder.path("a.npy");
  // The one factor that can stand for a Hermitian matrix again.
  ASSERT_EQ(run(cholesky, {"--generate", "A=identity", "--output", "A=" + a}).code, 0);
  const RunResult result = test::runProgram(
      cholesky, {"--input", "A=" + a, "--output", "A=" + a, "--check=full", "--kernels", "reference", "--repeat", "2"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(folder.files().size(), 1u);
  EXPECT_EQ(openMatrixFile(a)->shape().rows, 10);
}

TEST(StandardOutput, TakesTheJsonReportByAnyName) {
  TemporaryFolder folder;
  // Stands for /dev/stdout, which a mistake could replace when the tests run as root.
  const std::string link = folder.path("stdout");
  std::filesystem::create_symlink("/proc/self/fd/1", link);
  for (const std::string &option :
       {std::string("--json"), std::string("--json=-"), "--json=" + link, std::string("--json=/proc/self/fd/1")}) {
    const RunResult result = test::runInChild(test::cholesky<double>(), words({option}));
    EXPECT_EQ(result.code, 0);
    EXPECT_TRUE(Json::accept(result.out)) << option << ": " << result.out;
    EXPECT_EQ(result.err.find("cholesky, double"), 0u) << option;
  }
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST(StandardOutput, OfStandardErrorIsNotReplaced) {
  TemporaryFolder folder;
  const std::string log = folder.path("log");
  const RunResult result = test::runInChild(test::cholesky<double>(), words({"--json", log}), [&] {
    ::dup2(::open(log.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    std::fputs("before\n", stderr);
  });
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(readFile(log).find("before\n{"), 0u) << readFile(log);
}

TEST(StandardOutput, FullOrClosedIsAFault) {
  for (const std::vector<std::string> &arguments :
       {words({}), words({"--json"}), words({"--json", "--quiet"}), {"--help"}, {"--version"}}) {
    const RunResult full = test::runInChild(test::cholesky<double>(), arguments, [] { limitFiles(5); });
    EXPECT_EQ(full.code, 4) << arguments.back();
    EXPECT_NE(full.err.find("hetc: cholesky: cannot write standard output: file too large\n"), std::string::npos)
        << full.err;
    const RunResult closed = test::runInChild(test::cholesky<double>(), arguments, [] { ::close(STDOUT_FILENO); });
    EXPECT_EQ(closed.code, 4) << arguments.back();
    EXPECT_NE(closed.err.find("hetc: cholesky: cannot write standard output: bad file descriptor\n"), std::string::npos)
        << closed.err;
  }
}

TEST(StandardOutput, AClosedOneIsNoOtherFile) {
  TemporaryFolder folder;
  const RunResult result = test::runInChild(test::cholesky<double>(), words({"--output", "A=" + folder.path("l.npy")}),
                                            [] { ::close(STDOUT_FILENO); });
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(std::filesystem::file_size(folder.path("l.npy")), 128 + 100 * sizeof(double));
}

TEST(OutputRules, ALimitOnFileSizesIsAMessage) {
  TemporaryFolder folder;
  const RunResult result = test::runInChild(test::cholesky<double>(), words({"--output", "A=" + folder.path("l.npy")}),
                                            [] { limitFiles(500); });
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err, "hetc: cholesky: cannot write " + folder.path("l.npy") + ": file too large\n");
  EXPECT_TRUE(folder.files().empty());
}
} // namespace
} // namespace tla::host
