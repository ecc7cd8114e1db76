// Ranks of one machine deal its CUDA devices among themselves.
#pragma once

#include "runtime/device/choice/devices.hpp"
#include "runtime/host/ranks/ranks.hpp"

#include <string>
#include <vector>

namespace tla::host {

/// Notes in the choice which of the ranks that have chosen the same devices this one is. Devices are known by what the
/// driver calls them, whatever number they have in a process. Collective. Throws UsageError when ranks have chosen some
/// devices together and others alone.
void dealDevices(runtime::DeviceChoice &choice, Ranks &ranks, const Neighbours &neighbours);

/// The devices that a rank on a machine has chosen.
struct ChosenDevices {
  int machine;
  std::vector<std::string> devices;
};
struct RankOfDevices {
  int part, parts;
};
RankOfDevices dealDevices(const std::vector<ChosenDevices> &ranks, int rank);

} // namespace tla::host
