#include "runtime/host/problem/options.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace tla::host {
namespace {

Settings parse(const std::vector<std::string> &arguments, const runtime::Algorithm &algorithm = test::gemm<double>()) {
  std::vector<const char *> argv{"gemm"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::ostringstream out;
  return parseCommandLine(algorithm, static_cast<int>(argv.size()), argv.data(), out).value();
}
std::string error(const std::vector<std::string> &arguments,
                  const runtime::Algorithm &algorithm = test::gemm<double>()) {
  return test::usageError([&] { parse(arguments, algorithm); });
}

TEST(Options, Defaults) {
  const Settings settings = parse({});
  EXPECT_FALSE(settings.n);
  EXPECT_FALSE(settings.nb);
  EXPECT_EQ(settings.threads, 0);
  EXPECT_EQ(settings.check, CheckMode::Probe);
  EXPECT_EQ(settings.repeat, 1);
  EXPECT_FALSE(settings.json);
}

TEST(Options, ReadsThemAll) {
  const Settings settings = parse({"-m",          "3",
                                   "-n4",         "-k=5",
                                   "--nb",        "32",
                                   "--threads=2", "--seed",
                                   "9",           "--repeat",
                                   "5",           "--stats",
                                   "--trace",     "t.json",
                                   "--input",     "A=a.npy",
                                   "--input",     "B=b=c.mtx",
                                   "--output",    "C=c.npy",
                                   "--set",       "alpha=(1,2)",
                                   "--set",       "opA=Trans",
                                   "--generate",  "C=matern(0.1, 1.5)",
                                   "--window",    "17",
                                   "--kernels",   "reference",
                                   "--progress",  "never",
                                   "--quiet",     "--serial"});
  EXPECT_EQ(settings.m, 3);
  EXPECT_EQ(settings.n, 4);
  EXPECT_EQ(settings.k, 5);
  EXPECT_EQ(settings.nb, 32);
  EXPECT_EQ(settings.threads, 2);
  EXPECT_EQ(settings.seed, 9u);
  EXPECT_EQ(settings.repeat, 5);
  EXPECT_EQ(settings.window, 17);
  EXPECT_EQ(settings.kernels, KernelChoice::Reference);
  EXPECT_EQ(settings.progress, ProgressMode::Never);
  EXPECT_TRUE(settings.stats && settings.quiet && settings.serial);
  EXPECT_EQ(settings.traceFile, "t.json");
  ASSERT_EQ(settings.inputs.size(), 2u);
  EXPECT_EQ(settings.inputs[1].name, "B");
  EXPECT_EQ(settings.inputs[1].value, "b=c.mtx");
  EXPECT_EQ(settings.outputs.at(0).value, "c.npy");
  EXPECT_EQ(settings.scalars.at(0).value, "(1,2)");
  EXPECT_EQ(settings.generators.at(0).value, "matern(0.1, 1.5)");
}

TEST(Options, OptionalValues) {
  EXPECT_EQ(parse({"--check=full"}).check, CheckMode::Full);
  EXPECT_EQ(parse({"--check"}).check, CheckMode::Probe);
  EXPECT_EQ(parse({"--check", "-n", "5"}).n, 5);
  EXPECT_EQ(parse({"--check", "full", "-n", "5"}).check, CheckMode::Full);
  EXPECT_EQ(parse({"--no-check"}).check, CheckMode::None);
  EXPECT_TRUE(parse({"--json"}).json);
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"--json"}, {"--json", "--stats"}, {"--json", "-"}, {"--json=-"}}) {
    EXPECT_TRUE(parse(words).json);
    EXPECT_EQ(parse(words).jsonFile, "-");
  }
  EXPECT_EQ(parse({"--json=out.json"}).jsonFile, "out.json");
}

TEST(Options, NumbersOutOfRange) {
  EXPECT_EQ(error({"-n", "-5"}), "-n must be between 0 and 2147483647, not -5");
  EXPECT_EQ(error({"-n", "2147483648"}), "-n must be between 0 and 2147483647, not 2147483648");
  EXPECT_EQ(error({"-n", "4k"}), "-n needs an integer, not '4k'");
  EXPECT_EQ(error({"-n", "99999999999999999999"}), "-n must be between 0 and 2147483647, not 99999999999999999999");
  EXPECT_EQ(error({"--nb", "0"}), "--nb must be between 1 and 1048576, not 0");
  EXPECT_EQ(error({"--nb", "-1"}), "--nb must be between 1 and 1048576, not -1");
  EXPECT_EQ(error({"--threads", "0"}), "--threads must be between 1 and 1024, not 0");
  EXPECT_EQ(error({"--threads", "100000"}), "--threads must be between 1 and 1024, not 100000");
  EXPECT_EQ(error({"--repeat=0"}), "--repeat must be between 1 and 1000000, not 0");
  EXPECT_EQ(parse({"-n", "0"}).n, 0);
}

TEST(Options, WordsAndShapes) {
  EXPECT_EQ(error({"--kernels", "mkl"}), "--kernels must be auto, reference, openblas or tuned, not 'mkl'");
  EXPECT_EQ(error({"--check=ful"}), "--check must be probe or full, not 'ful'");
  EXPECT_EQ(error({"--input", "a.npy"}), "--input needs NAME=VALUE, not 'a.npy'");
  EXPECT_EQ(error({"--input", "=a.npy"}), "--input needs NAME=VALUE, not '=a.npy'");
  EXPECT_EQ(error({"--thread", "2"}), "unknown option '--thread'; did you mean '--threads'?");
  EXPECT_EQ(error({"--frobnicate"}), "unknown option '--frobnicate' (--help lists the options)");
  EXPECT_EQ(error({"stray"}), "unexpected argument 'stray' (--help lists the options)");
  EXPECT_EQ(error({"--nb"}), "--nb needs a value");
  EXPECT_EQ(error({"-n"}), "-n needs a value");
  EXPECT_EQ(error({"-m", "5"}, test::cholesky<double>()), "-m: cholesky has no size m; its sizes are: n");
  EXPECT_EQ(error({"-m", "5"}, test::posv<double>()), "-m: posv has no size m; its sizes are: n, k");
}

TEST(Options, Distributions) {
  const auto name = [](const std::vector<std::string> &arguments) { return parse(arguments).distribution->name(); };
  EXPECT_EQ(name({"--dist", "sbc:6"}), "sbc:6");
  EXPECT_EQ(name({"--grid", "2x3"}), "2dbc:2x3");
  EXPECT_EQ(name({"--node-weights", "1:3"}), "weighted:1:3,columns=1");
  EXPECT_FALSE(parse({"--dist", "auto"}).distribution);
  EXPECT_EQ(parse({"--node-weights", "1:3"}).nodeWeights, (std::vector{1, 3}));
  EXPECT_TRUE(parse({"--dist", "weighted:1:3"}).nodeWeights.empty());
  EXPECT_EQ(error({"--node-weights", "1:0"}),
            "--node-weights: '0', the weight of node 1, must be a whole number from 1 to 10000");
  EXPECT_EQ(error({"--node-weights", "1:3", "--dist", "2dbc:1x2"}),
            "give --dist or --node-weights, not both: each says who owns which tile");
  EXPECT_EQ(error({"--dist", "sbc:4"}),
            "--dist: distribution 'sbc:4': sbc has no form for 4 nodes; the nearest are 3 and 6");
  EXPECT_EQ(parse({}).generator, GeneratorChoice::Auto);
  EXPECT_EQ(parse({"--generator", "replay"}).generator, GeneratorChoice::Replay);
  EXPECT_EQ(error({"--generator", "loops"}), "--generator must be auto, nodes or replay, not 'loops'");
  EXPECT_EQ(parse({"--watchdog", "2.5"}).watchdogSeconds, 2.5);
  EXPECT_EQ(error({"--watchdog", "-1"}), "--watchdog needs a number of seconds, 0 for never, not '-1'");
}

TEST(Options, Devices) {
  EXPECT_TRUE(parse({}).devices.emulated.empty());
  EXPECT_EQ(parse({"--devices", "emulated:3,mem=16M"}).devices.emulated.size(), 3u);
  EXPECT_EQ(parse({"--devices", "cuda:1"}).devices.cuda.value().devices, std::vector{1});
  EXPECT_EQ(parse({"--device-weights", "10:8:5"}).deviceWeights, (std::vector{10, 8, 5}));
  EXPECT_EQ(error({"--devices", "emulated:0"}), "--devices: '0' is no number of emulated accelerators from 1 to 62");
  EXPECT_EQ(error({"--devices", "cuda:x"}), "--devices: 'x' is no number of a CUDA device");
  EXPECT_EQ(error({"--device-weights", "1:0"}),
            "--device-weights: '1:0' is no list of weights from 1 to 10000; an example is 10:8:5");
}

TEST(Options, Slices) {
  EXPECT_EQ(parse({"--tile", "96"}).nb, 96);
  EXPECT_EQ(parse({"--slice", "16"}).slice, 16);
  EXPECT_EQ(error({"--slice", "0"}), "--slice must be between 1 and 1048576, not 0");
  EXPECT_EQ(error({"--split", "auto"}), "no error");
  EXPECT_EQ(error({"--split", "17"}), "--split must be between 1 and 16, not 17");
  EXPECT_EQ(error({"--split", "3"}),
            "--split 3: this program was compiled for whole tiles; compile it again with --split=3");
  const runtime::Algorithm sliced = test::slicedCholesky<double>(3);
  const auto say = [&](const char *split) {
    const char *const argv[] = {"cholesky", "--split", split};
    std::ostringstream out;
    return test::usageError([&] { parseCommandLine(sliced, 3, argv, out); });
  };
  EXPECT_EQ(say("3"), "no error");
  EXPECT_EQ(say("auto"), "no error");
  EXPECT_EQ(say("1"), "--split 1: this program was compiled for 3 slices; compile it again with --split=1");
}

TEST(Options, ValuesOfTheCompilation) {
  EXPECT_EQ(error({"--devices", "none", "--split", "1", "--type", "d"}), "no error");
  EXPECT_EQ(error({"--type", "s"}), "--type s: this program was compiled for type d; compile it again with --type=s");
}

TEST(Options, HelpAndVersionEndTheProgram) {
  for (const char *option : {"--help", "--version"}) {
    const char *const argv[] = {"gemm", option};
    std::ostringstream out;
    EXPECT_FALSE(parseCommandLine(test::gemm<double>(), 2, argv, out));
    EXPECT_NE(out.str().find("gemm"), std::string::npos);
  }
}
} // namespace
} // namespace tla::host
