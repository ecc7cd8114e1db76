// Machines known as numbers: profiles and their mistakes, and what the model makes of them.
#include "runtime/core/passes/single_task.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "tests/unit/usage_error.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace tla;
using namespace tla::runtime;
using tla::test::usageError;

namespace {

std::string errorOf(std::string json, const std::string &from, const std::string &to) {
  const std::size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return usageError([&] { parseProfile(json.replace(at, from.size(), to)); });
}

TEST(MachineProfile, KnownOnesCanBeRead) {
  for (const auto &[name, json] : knownProfiles()) {
    const auto profile = parseProfile(json);
    EXPECT_EQ(profile.name, name);
    EXPECT_FALSE(profile.sources.empty());
    EXPECT_TRUE(profile.device.kernels.contains("gemm"));
    for (const char type : {'s', 'd', 'c', 'z'})
      EXPECT_NO_THROW(KernelModel(profile, type));
  }
  for (const char *name :
       {"keeneland", "keeneland-m2070", "k40c", "a100-pcie", "h100-sxm", "h100x4", "h100x8", "h200-sxm", "gh200"})
    EXPECT_TRUE(knownProfiles().contains(name)) << name;
}

TEST(MachineProfile, MistakesAreNamed) {
  const std::string json = knownProfiles().at("h200-sxm");
  EXPECT_EQ(errorOf(json, "{", "[").substr(0, 31), "it is no JSON (line 2, column 9");
  EXPECT_EQ(errorOf(json, "\"cores\": 16,", ""), "host.cores is missing");
  EXPECT_EQ(errorOf(json, "\"cores\": 16", "\"cores\": 1.5"), "host.cores is 1.5; it must be a whole number");
  EXPECT_EQ(errorOf(json, "\"cores\": 16", "\"cores\": -1"),
            "host.cores is -1; it must be above 0, and at most 4096.0");
  EXPECT_EQ(errorOf(json, "\"memoryGB\": 141", "\"memoryGB\": 0"),
            "device.memoryGB is 0; it must be above 0, and at most 1000000.0");
  EXPECT_EQ(errorOf(json, "\"inGBs\": 54", "\"inGBs\": \"54\""),
            "links.inGBs is \"54\"; it must be above 0, and at most 100000.0");
  EXPECT_EQ(errorOf(json, "\"cores\": 16", "\"cores\": 16, \"sockets\": 2"),
            "host.sockets is nothing that a profile has");
  EXPECT_EQ(errorOf(json, "\"other\": {\"efficiency\": 0.7}", "\"another\": {\"efficiency\": 0.7}"),
            "host.kernels.other is missing: what holds for kernels that it does not name");
  EXPECT_EQ(errorOf(json, "\"gemm\": {\"efficiency\": 1}", "\"gemm\": {\"efficiency\": 1, \"innerBlock\": 0}"),
            "host.kernels.gemm.innerBlock is 0; it must be above 0, and at most 4096.0");
  EXPECT_EQ(errorOf(json, "\"priorities\": true", "\"priorities\": 1"),
            "device.priorities is 1; it must be true or false");
  EXPECT_EQ(errorOf(json, "\"tasks\": 16", "\"tasks\": 0"),
            "device.together.tasks is 0; it must be above 0, and at most 1024.0");
  EXPECT_EQ(errorOf(json, "\"gflop\": 2, ", ""), "device.together.gflop is missing");
  EXPECT_EQ(errorOf(json, "\"waitUs\": 70", "\"waitUs\": -70"),
            "device.waitUs is -70; it must be above 0, and at most 1000000.0");
  EXPECT_EQ(errorOf(json, "\"gemm\": {\"efficiency\": 1}",
                    "\"gemm\": {\"efficiency\": 1, \"innerBlock\": 32, \"columnsPerStep\": 8}"),
            "host.kernels.gemm has columnsPerStep and innerBlock; it must be one of the two");
}

/// The profile is as 'hetc sim --calibrate' writes it.
TEST(MachineProfile, MayHaveMeasuredKernelsAndNoDevices) {
  const std::string json = R"({"name": "mine", "description": "two cores", "sources": [],
    "host": {"model": "mine", "cores": 2, "gflops": {"d": 20}, "halfSize": 10, "bandwidthGBs": 5,
             "kernels": {"other": {"efficiency": 0.7}}, "seconds": {"d": {"gemm": {"64": 1e-4, "128": 7e-4}}}}})";
  const auto profile = parseProfile(json);
  EXPECT_EQ(profile.device.count, 0);
  EXPECT_EQ(profile.host.seconds.at('d').at("gemm"), (std::map<int, double>{{64, 1e-4}, {128, 7e-4}}));
  EXPECT_NO_THROW(KernelModel(profile, 'd'));
  EXPECT_THROW(KernelModel(profile, 's'), UsageError);
  EXPECT_EQ(errorOf(json, "\"128\"", "\"big\""), "host.seconds.d.gemm.big: the size of tiles must be a number");
  EXPECT_EQ(errorOf(json, "1e-4", "-1"), "host.seconds.d.gemm.64 is -1; it must be above 0, and at most 1000000.0");
  EXPECT_EQ(errorOf(json, "{\"64\": 1e-4, \"128\": 7e-4}", "{}"), "host.seconds.d.gemm has no sizes");
  EXPECT_EQ(errorOf(json, "\"d\": {\"gemm\"", "\"x\": {\"gemm\""), "host.seconds.x is nothing that a profile has");
  EXPECT_EQ(errorOf(json, "\"sources\": [],", "\"sources\": [], \"links\": {},"), "device is missing");
}

TEST(MachineProfile, MayHaveNoise) {
  std::string json = knownProfiles().at("keeneland");
  EXPECT_FALSE(parseProfile(json).noise);
  const std::string before = "\"network\":";
  const auto with = [&](const std::string &noise) {
    std::string text = json;
    return text.insert(text.find(before), "\"noise\": " + noise + ",\n  ");
  };
  const auto profile =
      parseProfile(with(R"({"spread": 0.1, "leastStopMs": 3, "mostStopMs": 9, "stopEverySeconds": 2})"));
  EXPECT_EQ(profile.noise->spread, 0.1);
  EXPECT_EQ(profile.noise->slowBy, 0);
  EXPECT_DOUBLE_EQ(profile.noise->mostStop, 9e-3);
  json = with(R"({"slowBy": 0.2, "slowSeconds": 1, "slowEverySeconds": 10})");
  EXPECT_EQ(errorOf(json, "\"slowBy\": 0.2", "\"slowBy\": -1"),
            "noise.slowBy is -1; it must be above 0, and at most 100.0");
  EXPECT_EQ(errorOf(json, "\"slowSeconds\": 1, ", ""), "noise.slowSeconds is missing");
  EXPECT_EQ(errorOf(json, "slowBy", "slowby"), "noise.slowEverySeconds is nothing that a profile has");
}

TEST(MachineProfile, OptionsAreReadAndMistakesSaid) {
  const auto options = parseVirtual("profile:h200-sxm,n=4,mem=20G,fail=copy:3@1");
  EXPECT_EQ(options.profile.device.count, 4);
  EXPECT_EQ(options.memoryBytes, std::size_t(20) << 30);
  EXPECT_EQ(options.faults.copy, 3);
  EXPECT_EQ(options.faultyDevice, 1);
  EXPECT_EQ(describeVirtual(options).size(), 4u);
  EXPECT_EQ(virtualThreads(options), 11);
  EXPECT_EQ(parseVirtual("profile:h200").profile.name, "h200-sxm");
  EXPECT_EQ(usageError([&] { parseVirtual("profile:h300"); }),
            "'h300' is neither a profile that hetc knows nor a file; there are a100-pcie, gh200, h100-sxm, "
            "h100x4, h100x8, h200-sxm, k20c, k40c, keeneland, keeneland-m2070");
  EXPECT_TRUE(describeVirtual(parseVirtual("profile:k40c,n=0")).empty());
  EXPECT_EQ(usageError([&] { parseVirtual("profile:k40c,n=64"); }),
            "'n=64' is no option of a profile: n=DEVICES or speed=W:W..., mem=SIZE, "
            "order=priority|arrival, fail=kernel|copy|memory:n");
  const VirtualOptions unequal = parseVirtual("profile:k40c,speed=10:8:5");
  EXPECT_EQ(describeVirtual(unequal).size(), 3u);
  EXPECT_EQ(describeVirtual(unequal)[2].model, "NVIDIA Tesla K40c at 5/10");
  EXPECT_EQ(unequal.speedOf(1), 0.8);
  EXPECT_EQ(parseVirtual("profile:k40c,n=7").speedOf(6), 1);
  for (const char *speed : {"", "10:", "0:1", "10:x", "10:8,n=2"})
    EXPECT_THROW(parseVirtual(std::string("profile:k40c,speed=") + speed), UsageError) << speed;
  EXPECT_TRUE(hardwareOf(parseVirtual("profile:k40c,order=arrival"), 'd').byArrival);
  EXPECT_FALSE(hardwareOf(parseVirtual("profile:k40c,order=priority"), 'd').byArrival);
  EXPECT_EQ(usageError([&] { parseVirtual("profile:k40c,order=random"); }).substr(0, 37),
            "'order=random' is no option of a prof");
  EXPECT_EQ(usageError([&] { parseVirtual("profile:k40c,fail=copy:3@1"); }), "there is no device 1 to fail");
}

TEST(MachineProfile, SaysWhichProductsOneLaunchTakes) {
  const Together h200 = describeVirtual(parseVirtual("profile:h200"))[0].together;
  EXPECT_EQ(h200.tasks, 16);
  EXPECT_EQ(h200.operations, 2e9);
  EXPECT_EQ(h200.seconds, 1e-6);
  EXPECT_TRUE(h200.products('d', 256, 1536, 512));
  EXPECT_FALSE(h200.products('s', 256, 1536, 512));
  EXPECT_FALSE(h200.products('d', 255, 512, 512));
  EXPECT_FALSE(h200.products('d', 512, 512, 1537));
  EXPECT_FALSE(h200.products('d', 400, 400, 400)) << "28 blocks of 128 x 64 are 1.43 of it";
  const VirtualOptions k40c = parseVirtual("profile:k40c");
  EXPECT_EQ(describeVirtual(k40c)[0].together.tasks, 1);
  EXPECT_FALSE(hardwareOf(k40c, 'd').devices[0].joins);
}

KernelShape product(double m, double n, double k) { return {"gemm", 2 * m * n * k, m, n}; }

/// The time of a kernel that has the device for itself.
double alone(const KernelDemand &demand) { return demand.latency + demand.work / demand.share; }

TEST(KernelModel, LargeProductsReachTheRateAndSmallOnesDoNot) {
  const MachineProfile profile = findProfile("h200-sxm");
  const KernelModel model(profile, 'd');
  const auto rate = [&](double n) { return product(n, n, n).flops / alone(model.demand(product(n, n, n))); };
  EXPECT_GT(rate(16384), 0.95 * profile.device.rates.at('d'));
  EXPECT_LE(rate(16384), profile.device.rates.at('d'));
  for (const double n : {128, 256, 512, 1024, 2048})
    EXPECT_LT(rate(n), rate(2 * n)) << n;
  EXPECT_LT(rate(128), 0.02 * profile.device.rates.at('d')); // one multiprocessor of 132, and a launch
  for (const double n : {100, 1000, 5000}) {
    const KernelDemand demand = model.demand(product(n, n, 64));
    EXPECT_GT(demand.share, 0);
    EXPECT_LE(demand.share, 1);
  }
  EXPECT_FALSE(model.has("mine"));
  EXPECT_GT(model.coreSeconds({"mine", 1e9, 100, 100}), 1e9 / profile.host.rates.at('d'));
}

/// One for each so many columns, whatever the rows.
TEST(KernelModel, PanelsOfSeveralKernelsWait) {
  MachineProfile profile = findProfile("h200-sxm");
  profile.device.wait = 1e-4;
  profile.device.kernels["geqrf"].columnsPerKernel = 8;
  profile.device.kernels["larfb"].kernelsPerTile = 2;
  const KernelModel model(profile, 'd');
  for (const double rows : {1000, 30000})
    EXPECT_NEAR(model.demand({"geqrf", 1e9, rows, 1001}).waits, 126e-4, 1e-12);
  const double flops = 2.0 * 700 * 1000 * (2 * 9500 - 1000);
  EXPECT_NEAR(model.demand({"larfb", flops, 1000, 700}).waits, 19e-4, 1e-12) << "two for each of nine and a half tiles";
  EXPECT_NEAR(KernelModel(profile, 'z').demand({"larfb", 4 * flops, 1000, 700}).waits, 19e-4, 1e-12);
  EXPECT_EQ(model.demand(product(1000, 1000, 1000)).waits, 0);
}

/// The five operations of an inner block, by hand: of the first product, 32 x n, one row of blocks, half of each empty.
TEST(KernelModel, ReflectorsAreAppliedByInnerBlocks) {
  const MachineProfile profile = findProfile("keeneland");
  ASSERT_EQ(profile.device.kernels.at("tsmqr").innerBlock, 32);
  const KernelModel model(profile, 'd');
  const double rate = profile.device.rates.at('d'), half = profile.device.halfDepth;
  for (const double n : {896.0, 960.0}) { // 14 and 15 blocks, for 14 multiprocessors
    const double flops = 4 * 960 * n * 960, blocks = std::ceil(n / 64);
    const double first = flops / 2 * (2 * blocks * 64 / n) / (rate * 960 / (960 + half));
    const double firstAlone = first * (n > 896 ? 28.0 / 15 : 1);
    const double second = flops / 2 * (blocks * 64 / n) / (rate * 32 / (32 + half));
    const double secondAlone = second * std::ceil(15 * blocks / 14) * 14 / (15 * blocks);
    const KernelDemand demand = model.demand({"tsmqr", flops, 960, n});
    const double triangular = 30 * blocks * 64 * 64 * 32 * 2 / (rate * 32 / (32 + half));
    const double copies = 30 * 2 * 3 * 32 * n * 8 / profile.device.bandwidth;
    EXPECT_NEAR(demand.work, first + triangular + second + copies, 1e-9);
    EXPECT_NEAR(demand.work / demand.share, firstAlone + triangular * (n > 896 ? 28.0 / 15 : 1) + secondAlone + copies,
                1e-9);
    EXPECT_NEAR(demand.latency, 5 * 30 * profile.device.launch, 1e-12);
  }
}

TEST(KernelModel, KeenelandsFiguresAreThoseMeasured) {
  const MachineProfile song = findProfile("keeneland");
  const KernelModel asUsed(song, 'd'), single(song, 's');
  const auto gemmOf = [&](double n, double k) {
    return alone(asUsed.demand(product(n, n, k))) / (2 * n * n * k) * 1e12;
  };
  EXPECT_NEAR(gemmOf(320, 320), 1e3 / 250, 0.10 * 1e3 / 250);
  EXPECT_NEAR(gemmOf(640, 640), 1e3 / 283, 0.10 * 1e3 / 283);
  EXPECT_NEAR(gemmOf(960, 3840), 1e3 / 305, 0.10 * 1e3 / 305);
  for (const auto &[n, seconds] : {std::pair(640.0, 3.65e-3), {960.0, 5.5e-3}}) // smaller ones are on the host
    EXPECT_NEAR(alone(single.demand({"potrf", n * n * n / 3, n, n})), seconds, 0.25 * seconds) << n;
  for (const auto &[n, rate] : {std::pair(320.0, 9.58e9), {640.0, 9.84e9}, {960.0, 10.07e9}}) // of the slower clock
    EXPECT_NEAR(2 * n * n * n / asUsed.coreSeconds(product(n, n, n)), rate * 2.8 / 2.667, 0.02 * rate) << n;
  const MachineProfile profile = findProfile("keeneland-m2070");
  const KernelModel model(profile, 'd');
  const auto device = [&](const char *kernel, double flops) { return alone(model.demand({kernel, flops, 960, 960})); };
  const auto core = [&](const char *kernel, double flops) { return model.coreSeconds({kernel, flops, 960, 960}); };
  const double n3 = 960.0 * 960 * 960;
  EXPECT_NEAR(device("gemm", 2 * n3), 5.85e-3, 0.05 * 5.85e-3);
  EXPECT_NEAR(device("trsm", n3), 7.0e-3, 0.05 * 7.0e-3);
  EXPECT_NEAR(device("getrf_nopiv", 2 * n3 / 3), 83e-3, 0.05 * 83e-3);
  EXPECT_NEAR(core("gemm", 2 * n3), 175e-3, 0.05 * 175e-3);
  EXPECT_NEAR(core("trsm", n3), 91e-3, 0.05 * 91e-3);
  EXPECT_NEAR(core("getrf_nopiv", 2 * n3 / 3), 232e-3, 0.05 * 232e-3);
}

/// As a task whose panel has no rows, of a kernel whose clause flops() makes no sense then.
TEST(KernelModel, ATaskWithoutTilesHasNoShape) {
  const TaskClass taskClass{"mine", "mine.tla:1", [](const TaskView &) { return 0; },
                            [](const TaskView &) { return std::nan(""); }};
  const SingleTask task(taskClass, {});
  const KernelShape shape = shapeOf(taskClass, TaskView(task.task()));
  EXPECT_EQ(shape.flops, 0);
  EXPECT_EQ(shape.rows, 0);
  EXPECT_EQ(shape.columns, 0);
}

TEST(KernelModel, UnknownTypesAreRefused) {
  MachineProfile profile = findProfile("k40c");
  profile.device.rates.erase('z');
  EXPECT_THROW(KernelModel(profile, 'z'), UsageError);
}

} // namespace
