#include "runtime/device/cuda/cuda_options.hpp"

#include "runtime/device/option_text.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>

namespace tla::runtime {

static constexpr std::string_view prefix = "cuda";
static constexpr int mostDevices = 62;

/// Reads one of the texts between the commas.
static void readPart(std::string_view part, CudaOptions &options) {
  const std::string quoted = "'" + std::string(part) + "'";
  if (part.substr(0, 4) == "mem=") {
    const auto bytes = option::byteSize(part.substr(4));
    if (!bytes)
      throw UsageError(quoted + " is no memory size; examples are mem=16M and mem=1.5G");
    options.memoryBytes = *bytes;
    return;
  }
  const auto number = option::number<int>(part, 0, mostDevices - 1);
  if (!number)
    throw UsageError(quoted + " is no number of a CUDA device");
  if (std::count(options.devices.begin(), options.devices.end(), *number))
    throw UsageError("CUDA device " + std::string(part) + " is named twice");
  options.devices.push_back(*number);
}

CudaOptions parseCuda(const std::string &text) {
  std::string_view rest = text;
  if (rest.substr(0, prefix.size()) == prefix)
    rest.remove_prefix(prefix.size());
  CudaOptions options;
  if (rest.empty() && !text.empty())
    return options;
  const bool numbers = rest.substr(0, 1) == ":";
  if (rest.size() == text.size() || (!numbers && rest.substr(0, 1) != ",") || rest.size() == 1)
    throw UsageError("'" + text + "' is no choice of CUDA devices; examples are cuda, cuda:0,1 and cuda,mem=16G");
  rest.remove_prefix(1);
  for (bool first = true; first || !rest.empty(); first = false) {
    const std::string_view part = option::cut(rest, ',');
    if (first && numbers != (part.find('=') == part.npos))
      throw UsageError("'" + text + "': numbers of devices come behind cuda:");
    readPart(part, options);
  }
  return options;
}

} // namespace tla::runtime
