// What an emulated accelerator is asked to be.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace tla::runtime {

struct EmulatedOptions {
  int number = 0;                ///< "emulated:0" and so on
  std::size_t memoryBytes = 0;   ///< 0: as much as the host has
  double gigaflopsPerSecond = 0; ///< a kernel takes at least its flops / this; 0: no delay
  double gigabytesPerSecond = 0; ///< a copy takes at least latencySeconds + its bytes / this; 0: no delay
  double latencySeconds = 0;
  int kernelsInFlight = 4;
  int tasksTogether = 1;                ///< the most tasks, no panels, that one launch takes
  double operationsTogether = HUGE_VAL; ///< a launch that has so many takes no more
  // Faults for tests: the n-th such operation of this accelerator fails; 0: none does.
  int failKernel = 0, failCopy = 0, failAllocation = 0;
};

/// Reads
/// "emulated:N[,mem=SIZE][,speed=X[:Y...]][,bw=GB/s[:...]][,lat=us][,together=TASKS[:OPERATIONS]][,ranks=F[:...]]
/// [,fail=kernel|copy|memory:n[@number]]": N accelerators. SIZE is in bytes, or with K, M, G in KiB, MiB, GiB. Of
/// several speeds, in Gflop/s, and bandwidths, in GB/s, the first is that of the first accelerator and so on; they are
/// repeated when there are fewer than N. Those of rank r are F(r) times as fast as that, nodes that differ. Throws
/// UsageError on a mistake, which says what is wrong in one line.
std::vector<EmulatedOptions> parseEmulated(const std::string &text, int rank = 0);

} // namespace tla::runtime
