// What --devices and --device-weights understand.
#include "runtime/device/choice/devices.hpp"

#include <gtest/gtest.h>

using namespace tla::runtime;

namespace {
TEST(Devices, AreReadDescribedAndOpened) {
  std::string error;
  EXPECT_TRUE(openDevices(parseDevices("none", error).value()).empty());
  EXPECT_NO_THROW(openDevices(parseDevices("auto", error).value()));
  const DeviceChoice choice = parseDevices("emulated:2,mem=1M", error).value();
  EXPECT_EQ(choice.name, "emulated:2,mem=1M");
  const auto properties = describeDevices(choice);
  const auto devices = openDevices(choice);
  ASSERT_EQ(devices.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(properties[i].name, "emulated:" + std::to_string(i));
    EXPECT_EQ(devices[i]->properties().name, properties[i].name);
    EXPECT_EQ(devices[i]->properties().memoryBytes, 1u << 20);
    EXPECT_EQ(properties[i].memoryBytes, 1u << 20);
  }
}

TEST(Devices, ThatAreNotThereAreSaid) {
  std::string error;
  EXPECT_FALSE(parseDevices("cuda:x", error));
  EXPECT_EQ(error, "'x' is no number of a CUDA device");
  EXPECT_FALSE(parseDevices("gpu", error));
  EXPECT_EQ(error, "'gpu' names no devices; there are auto, none, emulated:N and cuda:0,1");
  EXPECT_FALSE(parseDevices("emulated:none", error));
  EXPECT_EQ(error, "'none' is no number of emulated accelerators from 1 to 62");
}

TEST(DeviceWeights, AreRead) {
  std::string error;
  EXPECT_EQ(parseDeviceWeights("10:8:5", error), (std::vector{10, 8, 5}));
  EXPECT_EQ(parseDeviceWeights("1", error), (std::vector{1}));
  for (const char *text : {"", "1:", ":1", "1:0", "1:2x", "10001", "1,2", "-1"}) {
    EXPECT_FALSE(parseDeviceWeights(text, error)) << text;
    EXPECT_EQ(error, "'" + std::string(text) + "' is no list of weights from 1 to 10000; an example is 10:8:5");
  }
}
} // namespace
