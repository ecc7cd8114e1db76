// Measured rates: taken when first needed, remembered.
#pragma once

#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/rates/rates.hpp"

#include <tla/runtime/algorithm.hpp>

#include <filesystem>
#include <functional>
#include <memory>

namespace tla::host {

struct RatesRequest {
  runtime::ElementType type = runtime::ElementType::D;
  std::vector<std::string> kernels; ///< short names of those that matter; what cannot be measured is passed over
  std::string hostKernels;          ///< name and version of the bodies in use, which must be installed
  std::vector<runtime::AcceleratorProperties> devices;
  /// The devices, to be measured while nobody else uses them. Called when some rates are missing.
  std::function<std::vector<std::unique_ptr<runtime::Accelerator>>()> open;
  /// The machine is known by a profile, which says the rates: nothing is measured. Null: it is this one.
  std::shared_ptr<const runtime::VirtualOptions> machine = nullptr;
  std::function<void(const std::string &)> remark = {}; ///< tells the user what may be of interest
  std::function<void()> checkpoint = {};                ///< between measurements; may throw
};

/// Rates of one core and of each device; devices of the same model have the same. What device_rates.json in hetc's
/// cache directory has is taken from there, by model, library and element type; the rest is measured, in a second
/// or two, and added to the file. Processes measure one after the other. A file that is damaged, or of another version,
/// is replaced, with a remark; one that cannot be written means that the next run measures again. Without devices
/// nothing is measured. Before a device with kernels of its own is measured, or another of its model, what these
/// compute is compared with what the host computes: Error, see kernel_check.hpp.
NodeRates obtainRates(const RatesRequest &request);

std::filesystem::path ratesFile();
/// All that the file has, by key: "core: PROCESSOR, KERNELS, TYPE" or "MODEL: LIBRARY, TYPE".
std::map<std::string, UnitRates> rememberedRates();

/// {"version": 5, "units": {key: {"seconds": {kernel: {"nb": seconds}}, "alone", "tall" and "waits": the same,
/// "latency", "bandwidth"}}}, for other ranks.
std::string ratesText(const RatesRequest &request, const NodeRates &rates);
/// The rates that the request needs, from a text of ratesText(); nullopt when they are not all there.
std::optional<NodeRates> readRates(const RatesRequest &request, const std::string &text);

} // namespace tla::host
