// What --devices and --device-weights understand.
#include "runtime/device/choice/devices.hpp"
#include "tests/unit/usage_error.hpp"

#include <gtest/gtest.h>

using namespace tla::runtime;
using tla::test::usageError;

namespace {
TEST(Devices, AreReadDescribedAndOpened) {
  EXPECT_TRUE(openDevices(parseDevices("none")).empty());
  EXPECT_NO_THROW(openDevices(parseDevices("auto")));
  const DeviceChoice choice = parseDevices("emulated:2,mem=1M");
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
  EXPECT_EQ(usageError([&] { parseDevices("cuda:x"); }), "'x' is no number of a CUDA device");
  EXPECT_EQ(usageError([&] { parseDevices("gpu"); }),
            "'gpu' names no devices; there are auto, none, emulated:N and cuda:0,1");
  EXPECT_EQ(usageError([&] { parseDevices("emulated:none"); }),
            "'none' is no number of emulated accelerators from 1 to 62");
}

TEST(DeviceWeights, AreRead) {
  EXPECT_EQ(parseDeviceWeights("10:8:5"), (std::vector{10, 8, 5}));
  EXPECT_EQ(parseDeviceWeights("1"), (std::vector{1}));
  for (const char *text : {"", "1:", ":1", "1:0", "1:2x", "10001", "1,2", "-1"}) {
    EXPECT_EQ(usageError([&] { parseDeviceWeights(text); }),
              "'" + std::string(text) + "' is no list of weights from 1 to 10000; an example is 10:8:5")
        << text;
  }
}
} // namespace
