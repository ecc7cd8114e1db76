// Where the loops of nodes come from, as far as it can be seen without a compiler; tests/lit/driver/module.test has
// one.
#include "runtime/host/plan/node_loops.hpp"
#include "tests/unit/runtime/host/on_ranks.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tla;
using namespace tla::host;
using namespace tla::test;

namespace {
const Distribution grid = Distribution::blockCyclic(3, 1);

/// For as long as it lives this shell command stands for the compiler.
struct Compiler {
  explicit Compiler(const std::string &command) {
    ::setenv("HETC_MODULE_COMMAND", ("/bin/sh\x1f-c\x1f" + command).c_str(), 1);
  }
  ~Compiler() { ::unsetenv("HETC_MODULE_COMMAND"); }
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
  const Compiler compiler("echo \"$0\" >> " + asked);
  withNodeLoops(compiledFor("2dbc:1x3"), grid, {}, false);
  withNodeLoops(compiledFor("2dbc:1x3"), grid, {}, true);
  EXPECT_EQ(readFile(asked), "--dist=2dbc:3x1\n");
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
