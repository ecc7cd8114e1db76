// A node that is known as numbers only, ready for a run in virtual time.
#pragma once

#include "runtime/predict/machine/kernel_model.hpp"

#include "runtime/predict/clock/noise.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime {

/// The machine that a user asks for by "profile:...".
struct VirtualOptions {
  MachineProfile profile;
  std::size_t memoryBytes = 0; ///< memory of each device, for tiles; 0: most of the profile's
  VirtualAccelerator::Faults faults = {};
  int faultyDevice = 0;
  bool byArrival = false; ///< VirtualMachine::byArrival
  /// How fast each device's kernels are beside the others': the first is the profile's. Empty: all are.
  std::vector<int> speeds = {};
  bool counted = false; ///< n= was given

  /// Times the profile's.
  double speedOf(int device) const { return speeds.empty() ? 1 : static_cast<double>(speeds[device]) / speeds.front(); }
};

/// Reads
/// "profile:NAME|FILE[,n=DEVICES|,speed=W:W...][,mem=SIZE][,order=priority|arrival][,fail=kernel|copy|memory:n[@number]]";
/// SIZE is in bytes, or with K, M, G in KiB, MiB, GiB. Throws UsageError on a mistake, which says what is wrong in
/// one line.
VirtualOptions parseVirtual(const std::string &text);

/// The properties of the devices.
std::vector<AcceleratorProperties> describeVirtual(const VirtualOptions &options);

/// Threads of the host that compute: [Song12] keeps a core for each device's management and one for communication; one
/// at least computes.
int virtualThreads(const VirtualOptions &options);

/// How long everything takes on a node, for elements of one type, wherever that is known from.
struct VirtualHardware {
  std::function<double(const TaskClass &, const TaskView &)> coreSeconds; ///< VirtualMachine::coreSeconds
  std::vector<VirtualDevice> devices;
  double busBytesPerSecond = 0; ///< bandwidth of all devices together, in each direction
  VirtualAccelerator::Faults faults = {};
  int faultyDevice = 0;
  bool byArrival = false; ///< VirtualMachine::byArrival
  /// The noise of its cores, drawn from a seed; nothing: they are quiet.
  struct Noise {
    NoiseFigures figures;
    std::uint64_t seed = 0;
    int node = 0;
  };
  std::optional<Noise> noise = {};
};

/// The hardware of a profile's machine, for elements of type `letter`. Throws UsageError where the profile knows
/// nothing of these.
VirtualHardware hardwareOf(const VirtualOptions &options, char letter);

class VirtualNode {
public:
  /// Makes a node in that time, which must outlive it; a node of a cluster with its turns.
  VirtualNode(const VirtualHardware &hardware, VirtualTime &time, VirtualTurns *turns = nullptr);

  const VirtualMachine &machine() const { return machine_; }
  const std::vector<std::unique_ptr<VirtualAccelerator>> &accelerators() const { return accelerators_; }

private:
  VirtualBus bus_;
  std::vector<CoreNoise> noise_; ///< noise of computing threads, in the order in which they come
  std::vector<std::unique_ptr<VirtualAccelerator>> accelerators_;
  VirtualMachine machine_;
};

} // namespace tla::runtime
