// Where the loops of nodes come from, as far as it can be seen without a compiler; tests/lit/driver/module.test has
// one.
#include "runtime/host/starter/node_loops.hpp"
#include "tests/unit/runtime/host/on_ranks.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include "runtime/interfaces/starter.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>

using namespace tla;
using namespace tla::host;
using namespace tla::test;

namespace {
const Distribution grid = Distribution::blockCyclic(3, 1);

/// For as long as it lives these lines of a shell stand for the compiler; $last is its last argument.
class Compiler {
public:
  /// `distribution`: whose loops the program would have, could they be had.
  explicit Compiler(const std::string &lines, const std::string &distribution = "") {
    const std::string script = folder_.write("hetc", "#!/bin/sh\nfor last; do :; done\n" + lines + "\n");
    ::chmod(script.c_str(), 0700);
    ::setenv(starterVariable,
             toText({.hetc = script, .file = "cholesky.tla", .type = "d", .distribution = distribution}).c_str(), 1);
  }
  ~Compiler() { ::unsetenv(starterVariable); }

private:
  TemporaryFolder folder_;
};

runtime::Algorithm compiledFor(const char *distribution) {
  runtime::Algorithm algorithm = cholesky<double>();
  algorithm.distribution = distribution;
  algorithm.generateNode = [](runtime::Generator &, const runtime::Arguments &, int, int) {};
  return algorithm;
}

Settings settingsWith(GeneratorChoice generator) {
  Settings settings;
  settings.generator = generator;
  return settings;
}

TEST(Starter, TravelsAsText) {
  const Starter starter{.hetc = "/opt/he tc/bin/hetc",
                        .file = "a\"b.tla",
                        .type = "z",
                        .algorithm = "second",
                        .includes = {"x y", "\x1f", "caf\xe9 \xc3\xa9 \xff"},
                        .defines = {"A=\"1\""},
                        .kernelSources = {"k.cpp"},
                        .split = 3,
                        .distribution = "file:caf\xe9",
                        .fresh = true,
                        .compileSeconds = 1.25,
                        .cached = true};
  const std::optional<Starter> other = starterFrom(toText(starter));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->moduleCommand("sbc:6"),
            (std::vector<std::string>{"/opt/he tc/bin/hetc", "module", "a\"b.tla", "--type=z", "--algorithm=second",
                                      "-Ix y", "-I\x1f", "-Icaf\xe9 \xc3\xa9 \xff", "-DA=\"1\"", "--kernel=k.cpp",
                                      "--split=3", "--fresh", "--dist=sbc:6"}));
  EXPECT_EQ(other->distribution, "file:caf\xe9");
  EXPECT_EQ(other->compileSeconds, 1.25);
  EXPECT_TRUE(other->cached);
}

TEST(Starter, IsNobodyWhereTheTextIsNone) {
  for (const char *text : {"", "{", "[]", "{}", "{\"version\": 2}", "{\"version\": 1, \"hetc\": 3}"})
    EXPECT_FALSE(starterFrom(text)) << text;
}

TEST(NodeLoops, AreTheProgramsOwnWhereItHasThem) {
  const Compiler unused("exit 7");
  for (const GeneratorChoice choice : {GeneratorChoice::Auto, GeneratorChoice::Nodes})
    EXPECT_STREQ(generatorName(withNodeLoops(compiledFor("2dbc:3x1"), grid, settingsWith(choice), true), grid),
                 "nodes");
}

TEST(NodeLoops, AreNotUsedWhenReplayIsWanted) {
  const runtime::Algorithm algorithm =
      withNodeLoops(compiledFor("2dbc:3x1"), grid, settingsWith(GeneratorChoice::Replay), true);
  EXPECT_STREQ(generatorName(algorithm, grid), "replay");
  EXPECT_EQ(algorithm.generateNode, nullptr);
}

TEST(NodeLoops, AreAskedForByTheDistribution) {
  const TemporaryFolder folder;
  const std::string asked = folder.path("asked");
  const Compiler compiler("echo \"$last\" >> " + asked);
  withNodeLoops(compiledFor("2dbc:1x3"), grid, {}, false);
  withNodeLoops(compiledFor("2dbc:1x3"), grid, {}, true);
  EXPECT_EQ(readFile(asked), "--dist=2dbc:3x1\n");
}

TEST(NodeLoops, AreNotAskedForOfTheDistributionThatTheProgramIsCompiledFor) {
  const TemporaryFolder folder;
  const std::string asked = folder.path("asked");
  const Compiler compiler("echo \"$last\" >> " + asked, "2dbc:3x1");
  EXPECT_STREQ(generatorName(withNodeLoops(cholesky<double>(), grid, {}, true), grid), "replay");
  withNodeLoops(cholesky<double>(), Distribution::blockCyclic(1, 3), {}, true);
  EXPECT_EQ(readFile(asked), "--dist=2dbc:1x3\n");
}

TEST(NodeLoops, ThatCannotBeHadLeaveReplay) {
  for (const char *command : {"exit 2", "echo", "echo /nowhere/module.so", "echo /proc/self/exe; exit 3"}) {
    SCOPED_TRACE(command);
    const Compiler compiler(command);
    EXPECT_STREQ(generatorName(withNodeLoops(compiledFor("2dbc:1x3"), grid, {}, true), grid), "replay");
    EXPECT_EQ(
        usageError([&] { withNodeLoops(compiledFor("2dbc:1x3"), grid, settingsWith(GeneratorChoice::Nodes), true); }),
        "--generator nodes: cholesky has no loops for the nodes of 2dbc:3x1");
  }
}

TEST(NodeLoops, AreAskedForOnceOnAMachine) {
  const TemporaryFolder folder;
  const std::string asked = folder.path("asked");
  const Compiler compiler("echo asked >> " + asked);
  onRanks(3, [&](Ranks &ranks) {
    const Neighbours neighbours = findNeighbours(ranks);
    EXPECT_EQ(neighbours.first, 0);
    const runtime::Algorithm algorithm = withNodeLoops(compiledFor("2dbc:1x3"), grid, {}, ranks, neighbours);
    EXPECT_STREQ(generatorName(algorithm, grid), "replay");
  });
  EXPECT_EQ(readFile(asked), "asked\n");
}
} // namespace
