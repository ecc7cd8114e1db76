// Rates are measured once, remembered, and shared; damaged files cost a measurement and a remark.
#include "runtime/device/choice/devices.hpp"
#include "runtime/predict/rates/device_rates.hpp"
#include "runtime/predict/rates/kernel_check.hpp"
#include "runtime/predict/rates/rate_measurement.hpp"
#include "runtime/predict/rates/rate_probes.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <thread>

namespace tla::host {
namespace {
class DeviceRates : public testing::Test {
protected:
  DeviceRates() { ::setenv("HETC_CACHE_DIR", folder.path("cache").c_str(), 1); }
  ~DeviceRates() override { ::unsetenv("HETC_CACHE_DIR"); }

  RatesRequest request(const std::string &text, std::vector<std::string> kernels = {"gemm"}) {
    const runtime::DeviceChoice choice = runtime::parseDevices(text);
    return {.kernels = std::move(kernels),
            .hostKernels = "reference",
            .devices = runtime::describeDevices(choice),
            .open =
                [this, choice] {
                  ++opened;
                  return runtime::openDevices(choice);
                },
            .remark = [this](const std::string &remark) { remarks += remark + "\n"; }};
  }
  static void write(const std::string &text) {
    std::filesystem::create_directories(ratesFile().parent_path());
    std::ofstream(ratesFile()) << text;
  }
  static std::string content() {
    std::ostringstream text;
    text << std::ifstream(ratesFile()).rdbuf();
    return text.str();
  }

  test::TemporaryFolder folder;
  std::atomic<int> opened = 0;
  std::string remarks;
};

/// Below what the host's own body of gemm does, in a sanitized build as well: no device is faster than that.
constexpr const char *threeSpeeds = "emulated:3,speed=0.2:0.16:0.1";

/// A rate of gemm in Gflop/s.
double gigaflops(const UnitRates &unit, int nb) { return 2e-9 * nb * nb * nb / unit.secondsOf("gemm", nb).value(); }

TEST_F(DeviceRates, AreWhatTheDevicesAre) {
  const RatesRequest asked = request(threeSpeeds);
  const NodeRates rates = obtainRates(asked);
  ASSERT_EQ(rates.accelerators.size(), 3u);
  EXPECT_NEAR(gigaflops(rates.accelerators[0], 128), 0.2, 0.01);
  EXPECT_NEAR(gigaflops(rates.accelerators[1], 128), 0.16, 0.01);
  EXPECT_NEAR(gigaflops(rates.accelerators[2], 128), 0.1, 0.005);
  EXPECT_TRUE(rates.core.secondsOf("gemm", 128));
  EXPECT_GT(rates.accelerators[0].bandwidth, 0);
  EXPECT_EQ(sharesOf(rates, asked.devices, {"gemm", 128, 2}).weights, (std::vector{10, 8, 5}));
  EXPECT_EQ(remarks, "");
}

TEST_F(DeviceRates, AreMeasuredOnce) {
  const NodeRates first = obtainRates(request("emulated:2,speed=1"));
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(first.accelerators[0].seconds, first.accelerators[1].seconds); // two of one model
  const NodeRates again = obtainRates(request("emulated:1,speed=1"));
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(again.accelerators[0].seconds, first.accelerators[0].seconds);
  EXPECT_EQ(again.core.seconds, first.core.seconds);
  obtainRates(request("emulated:1,speed=2")); // another model
  EXPECT_EQ(opened, 2);
  const NodeRates more = obtainRates(request("emulated:1,speed=1", {"gemm", "potrf", "mine"})); // another kernel
  EXPECT_EQ(opened, 3);
  EXPECT_EQ(more.accelerators[0].seconds.at("gemm"), first.accelerators[0].seconds.at("gemm"));
  EXPECT_TRUE(more.core.secondsOf("potrf", 100));
  EXPECT_FALSE(more.core.secondsOf("mine", 100));
}

TEST_F(DeviceRates, CanBeWrittenByHand) {
  const RatesRequest asked = request("emulated:2,speed=1:2");
  NodeRates rates = obtainRates(asked);
  rates.accelerators[0].seconds["gemm"] = {{64, 1}};
  rates.accelerators[1].seconds["gemm"] = {{64, 3}};
  rates.accelerators[1].alone["gemm"] = {{64, 4}};
  write(ratesText(asked, rates));
  EXPECT_EQ(sharesOf(obtainRates(asked), asked.devices, {"gemm", 64, 1}).weights, (std::vector{3, 1}));
  EXPECT_EQ(obtainRates(asked).accelerators[1].secondsAlone("gemm", 64), 4);
  EXPECT_EQ(obtainRates(asked).accelerators[0].secondsAlone("gemm", 64), 1) << "tasks do not overlap there";
  EXPECT_EQ(opened, 1);
}

TEST_F(DeviceRates, DamagedAndOlderFilesAreReplaced) {
  for (const char *const damage : {"", "{", "[1]", R"({"version": 1, "units": {}})", R"({"version": 6, "units": 3})"}) {
    write(damage);
    remarks.clear();
    opened = 0;
    EXPECT_TRUE(obtainRates(request("emulated:1,speed=1")).core.secondsOf("gemm", 64));
    EXPECT_EQ(opened, 1) << damage;
    EXPECT_NE(remarks.find("holds no measured rates that this version of hetc can read"), std::string::npos) << damage;
    obtainRates(request("emulated:1,speed=1"));
    EXPECT_EQ(opened, 1) << damage;
  }
}

/// Entries of nonsense count as none.
TEST_F(DeviceRates, OddEntriesAreIgnored) {
  const RatesRequest asked = request("emulated:1,speed=1");
  obtainRates(asked);
  std::string text = content();
  for (std::size_t at = 0; (at = text.find("\"seconds\": {", at)) != text.npos; at += 5)
    text.replace(at, 12, "\"seconds\": {\"trsm\": 7, \"herk\": {\"x\": \"y\", \"64\": -1},");
  write(text);
  const NodeRates rates = obtainRates(asked);
  EXPECT_EQ(opened, 1);
  EXPECT_FALSE(rates.core.secondsOf("herk", 64));
}

/// To copy them would take a stack as deep.
TEST_F(DeviceRates, DeepFilesAreReplaced) {
  const std::string open(500000, '['), close(500000, ']');
  write(R"({"version": )" + open + close + "}");
  EXPECT_TRUE(rememberedRates().empty());
  write(R"({"version": 6, "units": {"a": {"latency": )" + open + close + "}}}");
  EXPECT_TRUE(rememberedRates().empty());
}

TEST_F(DeviceRates, SizesAreIntegers) {
  write(R"({"version": 6, "units": {"a": {"seconds": {"gemm": {"64": 1, "4294967298": 2, "99x": 3}}}}})");
  EXPECT_EQ(rememberedRates().at("a").seconds.at("gemm"), (std::map<int, double>{{64, 1}}));
}

TEST_F(DeviceRates, NeedNoFile) {
  std::ofstream(folder.path("cache")) << "a file where the folder should be";
  EXPECT_TRUE(obtainRates(request("emulated:1,speed=1")).core.secondsOf("gemm", 64));
  EXPECT_EQ(remarks, "");
}

TEST_F(DeviceRates, OneMeasuresTheOthersWait) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { obtainRates(request("emulated:1,speed=1")); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(opened, 1);
}

/// Little memory: what fits is measured, and nothing is held at the end.
TEST_F(DeviceRates, WithinTheMemory) {
  const NodeRates none = obtainRates(request("emulated:1,mem=4K"));
  EXPECT_FALSE(none.accelerators[0].secondsOf("gemm", 64));
  const NodeRates some = obtainRates(request("emulated:1,mem=100K"));
  EXPECT_TRUE(some.accelerators[0].secondsOf("gemm", 32));
  EXPECT_FALSE(some.accelerators[0].seconds.at("gemm").contains(128));
}

TEST_F(DeviceRates, AllProbesRunOnBoth) {
  const std::vector<std::string> all = {"gemm",        "herk",        "trsm",  "potrf", "trtri", "lauum",
                                        "getrf_nopiv", "hetrf_nopiv", "geqrt", "tsqrt", "unmqr", "tsmqr"};
  for (const auto type :
       {runtime::ElementType::S, runtime::ElementType::D, runtime::ElementType::C, runtime::ElementType::Z}) {
    const RateTask task{type, all, 0};
    const auto devices = runtime::openDevices(runtime::parseDevices("emulated:1,mem=16M"));
    const UnitRates core = measureCore(task), device = measureAccelerator(*devices[0], task);
    for (const std::string &kernel : all) {
      EXPECT_TRUE(core.secondsOf(kernel, 32)) << kernel;
      EXPECT_TRUE(device.secondsOf(kernel, 32)) << kernel;
    }
    void *const everything = devices[0]->allocate(16 << 20);
    EXPECT_TRUE(everything);
    devices[0]->release(everything, 16 << 20);
  }
}

TEST_F(DeviceRates, FaultsLeaveAKernelOut) {
  const auto devices = runtime::openDevices(runtime::parseDevices("emulated:1,fail=kernel:1"));
  const UnitRates device = measureAccelerator(*devices[0], {runtime::ElementType::D, {"gemm", "trsm"}, 0});
  EXPECT_FALSE(device.secondsOf("gemm", 32));
  EXPECT_TRUE(device.secondsOf("trsm", 32));
}

/// An accelerator with kernels of its own, as the emulated one under it has them.
class WithItsOwnKernels : public runtime::Accelerator {
public:
  explicit WithItsOwnKernels(std::unique_ptr<runtime::Accelerator> right)
      : right_(std::move(right)), properties_(right_->properties()) {
    properties_.usesHost = false;
    properties_.kernelsInFlight = 4;
  }
  const runtime::AcceleratorProperties &properties() const override { return properties_; }
  void *allocate(std::size_t bytes) override { return right_->allocate(bytes); }
  void release(void *memory, std::size_t bytes) override { right_->release(memory, bytes); }
  bool has(const runtime::TaskClass &taskClass) const override { return right_->has(taskClass); }
  bool reaches(const Accelerator &) const override { return false; }
  void copyIn(const runtime::TileCopy &copy, void *token) override { right_->copyIn(copy, token); }
  void copyOut(const runtime::TileCopy &copy, void *token) override { right_->copyOut(copy, token); }
  void copyFrom(Accelerator &, const runtime::TileCopy &, void *) override {}
  void launch(const runtime::TaskClass &taskClass, const runtime::Task &task, runtime::Standing standing,
              void *token) override {
    right_->launch(taskClass, task, standing, token);
  }
  int finished(runtime::Finished *list, int room) override { return right_->finished(list, room); }
  void wait(std::int64_t nanoseconds) override { right_->wait(nanoseconds); }
  void wake() override { right_->wake(); }

protected:
  const std::unique_ptr<runtime::Accelerator> right_;
  runtime::AcceleratorProperties properties_;
};

/// One kernel does nothing.
class WithWrongKernel : public WithItsOwnKernels {
public:
  WithWrongKernel(std::unique_ptr<runtime::Accelerator> right, std::string wrong)
      : WithItsOwnKernels(std::move(right)), wrong_(std::move(wrong)) {}
  void launch(const runtime::TaskClass &taskClass, const runtime::Task &task, runtime::Standing standing,
              void *token) override {
    static const runtime::TaskClass nothing{"nothing", "test:1", [](const runtime::TaskView &) { return 0; }, nullptr};
    WithItsOwnKernels::launch(taskClass.kernel == wrong_ ? nothing : taskClass, task, standing, token);
  }

private:
  const std::string wrong_;
};

/// One launch of several tasks does the first of them only.
class WithForgottenTasks : public WithItsOwnKernels {
public:
  using WithItsOwnKernels::WithItsOwnKernels;
  bool joins(const runtime::TaskClass &taskClass, const runtime::TaskSize &) const override {
    return taskClass.kernel == std::string_view("gemm");
  }
  void launchTogether(const runtime::TaskClass &taskClass, std::span<const runtime::Task *const> tasks,
                      runtime::Standing standing, void *token) override {
    launch(taskClass, *tasks.front(), standing, token);
  }
};

/// Says that what is more urgent than others, beside which it is begun, took 1 s more.
class WithWaits : public WithItsOwnKernels {
public:
  using WithItsOwnKernels::WithItsOwnKernels;
  void launch(const runtime::TaskClass &taskClass, const runtime::Task &task, runtime::Standing standing,
              void *token) override {
    if (standing == runtime::Standing::Before) {
      waits_ = token;
      EXPECT_EQ(taskClass.kernel, std::string_view("potrf"));
      EXPECT_EQ(under_.size(), 4u);
    }
    under_.insert(token);
    WithItsOwnKernels::launch(taskClass, task, standing, token);
  }
  int finished(runtime::Finished *list, int room) override {
    const int count = WithItsOwnKernels::finished(list, room);
    for (int i = 0; i < count; ++i) {
      if (list[i].token && list[i].token == waits_) {
        list[i].seconds += 1;
        waits_ = nullptr;
      }
      under_.erase(list[i].token);
    }
    return count;
  }
  bool isIdle() const { return under_.empty(); }

private:
  std::set<void *> under_;
  void *waits_ = nullptr;
};

TEST_F(DeviceRates, OfDevicesThatComputeSomethingElseThereAreNone) {
  for (const auto type : {runtime::ElementType::S, runtime::ElementType::Z})
    for (const std::string kernel : {"", "gemm", "trsm", "getrf", "geqrf", "tsqrt"}) {
      RatesRequest asked = request("emulated:1,mem=64M", {"gemm", "trsm", "getrf", "geqrf", "tsqrt"});
      asked.type = type;
      asked.open = [&, open = asked.open] {
        std::vector<std::unique_ptr<runtime::Accelerator>> devices = open();
        devices[0] = std::make_unique<WithWrongKernel>(std::move(devices[0]), kernel);
        return devices;
      };
      asked.devices[0].usesHost = false;
      asked.devices[0].library = "without " + kernel;
      try {
        const NodeRates rates = obtainRates(asked);
        EXPECT_EQ(kernel, "");
        EXPECT_TRUE(rates.accelerators[0].secondsOf("gemm", 64));
      } catch (const Error &error) {
        EXPECT_NE(kernel, "") << error.what();
        EXPECT_NE(std::string(error.what()).find(": its kernel " + kernel + " for "), std::string::npos)
            << error.what();
      }
      const std::string key = "without " + kernel + ", " + static_cast<char>(type);
      EXPECT_EQ(content().find(key) != std::string::npos, kernel.empty()) << key;
    }
}

TEST_F(DeviceRates, NeedTasksOfOneLaunchToBeWhatTheyAreAlone) {
  WithForgottenTasks device(std::move(runtime::openDevices(runtime::parseDevices("emulated:1"))[0]));
  try {
    requireSameResults(device, {runtime::ElementType::D, {"gemm"}, 64});
    FAIL() << "two of three tasks were not done";
  } catch (const Error &wrong) {
    EXPECT_NE(std::string(wrong.what()).find("gemm for double computes other numbers where one launch does several"),
              std::string::npos)
        << wrong.what();
  }
  const auto right = runtime::openDevices(runtime::parseDevices("emulated:1,together=3"));
  EXPECT_TRUE(requireSameResults(*right[0], {runtime::ElementType::D, probedKernels(runtime::ElementType::D), 64}));
  const UnitRates rates = measureAccelerator(*right[0], {runtime::ElementType::D, {"gemm", "potrf"}, false, 64});
  EXPECT_GT(rates.secondsOf("gemm", 64).value_or(0), 0);
}

/// A host that takes 2 ms to begin a kernel, whatever it takes.
class WithSlowLaunches : public WithItsOwnKernels {
public:
  explicit WithSlowLaunches(std::unique_ptr<runtime::Accelerator> right) : WithItsOwnKernels(std::move(right)) {
    properties_.together = {.tasks = 4, .operations = 1e15, .products = [](char, int, int, int) { return true; }};
  }
  bool joins(const runtime::TaskClass &taskClass, const runtime::TaskSize &) const override {
    return taskClass.kernel == std::string_view("gemm");
  }
  void launch(const runtime::TaskClass &taskClass, const runtime::Task &task, runtime::Standing standing,
              void *token) override {
    launchTogether(taskClass, std::array{&task}, standing, token);
  }
  void launchTogether(const runtime::TaskClass &taskClass, std::span<const runtime::Task *const> tasks,
                      runtime::Standing standing, void *token) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < end)
      continue;
    right_->launchTogether(taskClass, tasks, standing, token);
  }
};

/// The host's time for a launch is remembered, also when other kernels are measured later, which changes none of the
/// known rates.
TEST_F(DeviceRates, KnowWhatALaunchTakesTheHost) {
  RatesRequest asked = request("emulated:1");
  asked.devices[0].usesHost = false;
  asked.devices[0].library = "slow launches";
  asked.open = [open = asked.open] {
    std::vector<std::unique_ptr<runtime::Accelerator>> devices = open();
    devices[0] = std::make_unique<WithSlowLaunches>(std::move(devices[0]));
    return devices;
  };
  const UnitRates first = obtainRates(asked).accelerators[0];
  EXPECT_GT(first.launch, 1e-3);
  asked.kernels.push_back("potrf");
  const UnitRates second = obtainRates(asked).accelerators[0];
  EXPECT_EQ(second.launch, first.launch);
  EXPECT_EQ(second.seconds.at("gemm"), first.seconds.at("gemm"));
  EXPECT_TRUE(second.secondsOf("potrf", 64));
}

TEST_F(DeviceRates, KnowWhatPanelsWaitFor) {
  WithWaits device(std::move(runtime::openDevices(runtime::parseDevices("emulated:1,mem=256M"))[0]));
  const UnitRates rates = measureAccelerator(device, {runtime::ElementType::D, {"gemm", "potrf"}, false, 256});
  EXPECT_TRUE(device.isIdle());
  EXPECT_FALSE(rates.waits.contains("gemm"));
  ASSERT_TRUE(rates.waits.contains("potrf"));
  for (const auto &[nb, seconds] : rates.waits.at("potrf")) {
    EXPECT_GE(nb, 128);
    EXPECT_NEAR(seconds, 1, 0.9) << nb;
  }
  EXPECT_NEAR(rates.waitSeconds("potrf", 128), 1, 0.9);
  UnitRates remembered = obtainRates(request("emulated:1,speed=1")).accelerators[0];
  EXPECT_TRUE(remembered.waits.empty()) << "the host's cores compute there";
}
} // namespace
} // namespace tla::host
