// Which CUDA devices are asked for; and what is said where there are none.
#include "runtime/device/cuda/device_part.hpp"
#include "runtime/device/cuda/open_cuda.hpp"
#include "tests/unit/usage_error.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tla;
using namespace tla::runtime;
using tla::test::usageError;

namespace {
TEST(DevicePart, DealsDevicesToTheRanksOfAMachine) {
  const std::vector<int> devices = {4, 5, 6, 7};
  const auto lists = [&](int parts) {
    std::vector<std::vector<int>> all;
    for (int part = 0; part < parts; ++part)
      all.push_back(partOf(devices, part, parts).devices);
    return all;
  };
  EXPECT_EQ(lists(1), (std::vector<std::vector<int>>{{4, 5, 6, 7}}));
  EXPECT_EQ(lists(2), (std::vector<std::vector<int>>{{4, 5}, {6, 7}}));
  EXPECT_EQ(lists(3), (std::vector<std::vector<int>>{{4}, {5}, {6, 7}}));
  EXPECT_EQ(lists(6), (std::vector<std::vector<int>>{{4}, {4}, {5}, {6}, {6}, {7}}));
  EXPECT_EQ(partOf(devices, 1, 2).sharers, 1);
  EXPECT_EQ(partOf(devices, 1, 6).sharers, 2);
  EXPECT_EQ(partOf(devices, 2, 6).sharers, 1);
  EXPECT_TRUE(partOf({}, 0, 2).devices.empty());
}

TEST(CudaOptions, AreRead) {
  struct Case {
    const char *text;
    std::vector<int> devices;
    std::size_t memoryBytes;
  };
  for (const Case &one : {Case{"cuda", {}, 0},
                          {"cuda:0", {0}, 0},
                          {"cuda:2,0,mem=1.5M", {2, 0}, 3u << 19},
                          {"cuda,mem=16M", {}, 16u << 20},
                          {"cuda:1,mem=100", {1}, 100}}) {
    const auto options = parseCuda(one.text);
    EXPECT_EQ(options.devices, one.devices) << one.text;
    EXPECT_EQ(options.memoryBytes, one.memoryBytes) << one.text;
  }
}

TEST(CudaOptions, MistakesAreSaid) {
  const std::string choice = "' is no choice of CUDA devices; examples are cuda, cuda:0,1 and cuda,mem=16G";
  const std::pair<const char *, std::string> mistakes[] = {
      {"", "'" + choice},
      {"cud", "'cud" + choice},
      {"cudax", "'cudax" + choice},
      {"cuda:", "'cuda:" + choice},
      {"cuda,", "'cuda," + choice},
      {"cuda:x", "'x' is no number of a CUDA device"},
      {"cuda:0,0", "CUDA device 0 is named twice"},
      {"cuda:0,-1", "'-1' is no number of a CUDA device"},
      {"cuda:0,mem=lots", "'mem=lots' is no memory size; examples are mem=16M and mem=1.5G"},
      {"cuda,0", "'cuda,0': numbers of devices come behind cuda:"},
      {"cuda:mem=3M", "'cuda:mem=3M': numbers of devices come behind cuda:"}};
  for (const auto &[text, expected] : mistakes) {
    EXPECT_EQ(usageError([&] { parseCuda(text); }), expected) << text;
  }
}

TEST(OpenCuda, SaysWhatBuildsTheModule) {
  setenv("HETC_LIB_DIR", "/nowhere", 1);
  try {
    openCuda({}); // beside this program, where the module may be: then the driver or a device is missing, or nothing
  } catch (const Error &error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("CUDA devices cannot be used: "), 0u) << text;
    EXPECT_TRUE(text.find("TLA_CUDA=ON") != text.npos || text.find("driver") != text.npos ||
                text.find("device") != text.npos)
        << text;
  }
}
} // namespace
