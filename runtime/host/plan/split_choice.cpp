#include "runtime/host/plan/split_choice.hpp"

#include "runtime/host/plan/cut_choice.hpp"
#include "runtime/host/plan/device_shares.hpp"

namespace tla::host {

int chooseSliceCount(const runtime::DeviceChoice &devices, runtime::ElementType type, int nb, int threads) {
  constexpr const char *kernel = "gemm";
  const auto properties = runtime::describeDevices(devices);
  if (properties.empty())
    return 1;
  const RatesRequest request{.type = type,
                             .kernels = {kernel},
                             .hostKernels = hostKernelsText(kernels::installKernels()),
                             .devices = properties,
                             .open = [faultless = devices.withoutFaults()] { return runtime::openDevices(faultless); }};
  return cutFor(obtainRates(request), kernel, threads ? threads : runtime::defaultThreads(), nb).slices;
}

} // namespace tla::host
