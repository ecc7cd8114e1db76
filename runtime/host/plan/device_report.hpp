// What 'hetc doctor' says of accelerators.
#pragma once

#include "runtime/device/choice/devices.hpp"
#include "runtime/host/plan/cut_choice.hpp"
#include "runtime/host/rates/rates.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tla::host {

struct DeviceReport {
  std::vector<runtime::AcceleratorProperties> cuda; ///< that can be used
  std::string whyNoCuda;                            ///< empty: they can be
  std::filesystem::path ratesFile;
  std::map<std::string, UnitRates> rates;                ///< all that are known, by unit, library and type
  std::vector<std::pair<std::string, std::string>> cuts; ///< that trials have found (rememberedCuts())

  std::string choice;                                  ///< what was asked about, as it was written
  std::vector<runtime::AcceleratorProperties> devices; ///< that it stands for
  std::string kernel;                                  ///< by whose rates, in double,
  int nb = 0;                                          ///< and on tiles of which size, weights and cut are
  runtime::DeviceShares shares;                        ///< of the devices
  CutChoice cut;                                       ///< [Song12] 3.2
};

/// Measures the rates of gemm in double where they are not known; no kernel may be running.
DeviceReport reportDevices(const runtime::DeviceChoice &choice);

/// Lines of a name, empty where the line above goes on, and a text.
std::vector<std::pair<std::string, std::string>> linesOf(const DeviceReport &report);

} // namespace tla::host
