// Machines as numbers: files, profiles, and what a counted run makes of them.
#include "runtime/predict/rates/machine_numbers.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tla::host {
namespace {
using Json = nlohmann::json;
using test::usageError;

Json elementOf(const std::string &name, double gflops) {
  return {{"name", name}, {"gflops", {{"d", gflops}}}, {"bandwidthGBs", 8}, {"latencyUs", 2}, {"memoryGB", 0.008}};
}

/// A core and two devices.
Json workstation() {
  Json device = elementOf("device", 40);
  device["count"] = 2;
  return {{"name", "box"}, {"description", "a box"}, {"elements", {elementOf("cores", 10), device}}};
}

std::string errorOf(const Json &machine) {
  return usageError([&] { parseMachine(machine.dump()); });
}

TEST(MachineNumbers, AreReadAndWrittenAlike) {
  const auto machine = parseMachine(workstation().dump());
  EXPECT_TRUE(machine.shared);
  EXPECT_EQ(machine.count(), 3);
  EXPECT_EQ(machine.elements[0].rates.at('d'), 10e9);
  EXPECT_EQ(machine.elements[1].bandwidth, 8e9);
  EXPECT_EQ(machine.elements[1].latency, 2e-6);
  EXPECT_EQ(machine.elements[1].memory, 8e6);
  const auto again = parseMachine(machineText(machine));
  EXPECT_EQ(machineText(again), machineText(machine));
}

TEST(MachineNumbers, SayWhatIsMissingOrAbsurdAndWhere) {
  Json machine = workstation();
  machine["elements"][1].erase("bandwidthGBs");
  EXPECT_EQ(errorOf(machine), "elements[1].bandwidthGBs is missing");
  machine = workstation();
  machine["elements"][0]["latencyUs"] = -1;
  EXPECT_EQ(errorOf(machine), "elements[0].latencyUs is -1; it must be above 0, and at most 1000000.0");
  machine["elements"][0]["latencyUs"] = "fast";
  EXPECT_EQ(errorOf(machine), "elements[0].latencyUs is \"fast\"; it must be above 0, and at most 1000000.0");
  machine = workstation();
  machine["elements"][0]["gflops"]["d"] = 0;
  EXPECT_EQ(errorOf(machine), "elements[0].gflops.d is 0; it must be above 0, and at most 1000000000.0");
  machine["elements"][0]["gflops"] = Json::object();
  EXPECT_EQ(errorOf(machine), "elements[0].gflops.d is missing");
  machine = workstation();
  machine["elements"][1]["count"] = 1.5;
  EXPECT_EQ(errorOf(machine), "elements[1].count is 1.5; it must be a whole number");
  machine["elements"][1]["count"] = 2;
  machine["elements"][0]["count"] = 2;
  EXPECT_EQ(errorOf(machine), "elements[0].count is 2; the first element is the node's cores together");
  machine = workstation();
  machine["elements"][1]["speed"] = 3;
  EXPECT_EQ(errorOf(machine), "elements[1].speed is nothing that a machine has");
  machine = workstation();
  machine["nodes"] = machine["elements"];
  EXPECT_EQ(errorOf(machine), "elements and nodes are there: a machine is either those of one node, or nodes");
  machine.erase("nodes");
  machine["elements"] = Json::array();
  EXPECT_EQ(errorOf(machine), "elements is []; it must be a list of one at least");
  machine.erase("elements");
  EXPECT_EQ(errorOf(machine), "elements is missing: who computes around the memory of a node; or nodes");
  EXPECT_EQ(errorOf(Json::array()), "it is no object");
  EXPECT_EQ(usageError([&] { parseMachine("{"); }), "it is no JSON");
}

TEST(MachineNumbers, AreThoseOfKnownProfiles) {
  const auto machine = findMachine("keeneland-m2070");
  EXPECT_EQ(machine.count(), 4);
  EXPECT_NEAR(machine.elements[0].rates.at('d'), 12 * 10.1e9, 1);
  EXPECT_TRUE(std::isinf(machine.elements[0].memory));
  EXPECT_EQ(machine.elements[1].rates.at('d'), 309e9);
  EXPECT_EQ(machine.elements[1].memory, 6e9);
  const std::string error = usageError([&] { findMachine("keenland"); });
  EXPECT_NE(error.find("'keenland' is neither a profile that hetc knows nor a file"), error.npos) << error;
}

std::string fileOf(const Json &machine) {
  const std::string path = testing::TempDir() + "/machine.json";
  std::ofstream(path) << machine;
  return path;
}

test::RunResult costOn(const Json &machine, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "cost");
  arguments.insert(arguments.end(), {"--machine", fileOf(machine), "--json", "--quiet"});
  return test::runProgram(test::cholesky<double>(), arguments);
}

TEST(CostOnMachine, IsNotBelowTheBound) {
  const test::RunResult result =
      costOn(workstation(), {"-n", "400", "--nb", "50", "--devices", "emulated:2,mem=200K", "--device-weights", "1:1"});
  ASSERT_EQ(result.code, 0) << result.err;
  const Json cost = Json::parse(result.out)["machine"];
  EXPECT_EQ(cost["input_output_words"], 400 * 401); // a triangle in, a triangle out
  EXPECT_EQ(cost["operations"], 120 * 1000);        // a task says 1000
  ASSERT_EQ(cost["elements"].size(), 3u);
  double operations = 0, best = 0;
  for (const Json &element : cost["elements"]) {
    operations += element["operations"].get<double>();
    best += element["best_operations"].get<double>();
    EXPECT_TRUE(element["words"].is_null() || element["words"] >= element["least_words"]);
  }
  EXPECT_EQ(operations, cost["operations"]);
  EXPECT_NEAR(best, operations, 1e-9 * operations);
  EXPECT_GE(cost["bound_seconds"], cost["bound_11_seconds"]);
  EXPECT_GE(cost["bound_seconds"], cost["bound_5_seconds"]);
  EXPECT_GE(cost["seconds"], cost["bound_seconds"]);
}

TEST(CostOnMachine, SharesTheWorkByTheSpeedOfNodes) {
  Json nodes = {
      {"name", "two"}, {"description", "two nodes"}, {"nodes", {elementOf("slow", 10), elementOf("fast", 30)}}};
  const test::RunResult result = costOn(nodes, {"-n", "200", "--nb", "50", "--dist", "2dbc:1x2"});
  ASSERT_EQ(result.code, 0) << result.err;
  const Json cost = Json::parse(result.out)["machine"];
  EXPECT_DOUBLE_EQ(cost["elements"][0]["best_operations"].get<double>() * 4, cost["operations"]);
  EXPECT_DOUBLE_EQ(cost["bound_seconds"], 20e3 / 40e9); // 20 tasks
  EXPECT_GE(cost["seconds"], 12e3 / 10e9);              // 12 of them by the slow one
  EXPECT_TRUE(cost["bound_11_seconds"].is_null());
}

TEST(CostOnMachine, SaysWhatDoesNotFit) {
  const auto error = [](const Json &machine, const std::vector<std::string> &arguments) {
    const test::RunResult result = costOn(machine, arguments);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_EQ(error(workstation(), {"-n", "100", "--nb", "50"}),
            "hetc: --machine box has 2 elements beside its cores, --devices names 0 accelerators\n");
  EXPECT_EQ(
      error(workstation(), {"-n", "100", "--nb", "50", "--devices", "emulated:2,mem=1G", "--device-weights", "1:1"}),
      "hetc: emulated:0 has 1.0 GiB for tiles, device of --machine box only 7.6 MiB: give --devices with mem=\n");
  Json nodes = {{"name", "two"}, {"description", ""}, {"nodes", {elementOf("slow", 10), elementOf("fast", 30)}}};
  EXPECT_EQ(error(nodes, {"-n", "100", "--nb", "50", "--dist", "2dbc:1x3"}),
            "hetc: --machine two has 2 nodes, the distribution has 3\n");
  nodes["nodes"][1]["gflops"] = {{"s", 1}};
  EXPECT_EQ(error(nodes, {"-n", "100", "--nb", "50", "--dist", "2dbc:1x2"}),
            "hetc: --machine two has no gflops.d of fast: it says nothing of double\n");
}

} // namespace
} // namespace tla::host
