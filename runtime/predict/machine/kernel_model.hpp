// How long a kernel takes on a machine of which the profile is known.
#pragma once

#include "runtime/predict/machine/machine_profile.hpp"
#include "runtime/predict/machine/virtual_accelerator.hpp"

#include <tla/runtime/task.hpp>

#include <functional>
#include <string_view>

namespace tla::runtime {

/// A task, as far as its time depends on it.
struct KernelShape {
  std::string_view kernel;
  double flops = 0;             ///< real operations
  double rows = 0, columns = 0; ///< size of the main output
  bool memoryBound = false;
};
KernelShape shapeOf(const TaskClass &taskClass, const TaskView &view);

/// VirtualDevice::joins of a device with these properties, for elements of type `letter`.
std::function<bool(const TaskClass &, const TaskSize &)> productsTogether(const AcceleratorProperties &properties,
                                                                          char letter);

/// Models the kernels for elements of one type, `letter`: s, d, c, z, of 4, 8, 8, 16 bytes.
///
/// On a core: flops at gemm's rate r times the kernel's efficiency, times b / (b + halfSize) for main outputs whose
/// smaller side is b. What is bound by memory moves its main output three times.
///
/// On a device, after [Song12] 3.2's observation that small tiles leave it idle: C is computed in blocks, each by one
/// of P multiprocessors, to a depth of k = flops / (2 m n), at r / P k / (k + halfDepth). So a kernel of B blocks, in
/// w = ceil(B / P) waves, takes w blocks' time alone, and B / (w P) of the device; others may use the rest at the same
/// time. Before that, a launch for each step, and where others fill the device a wait for each of the kernels that it
/// consists of (KernelFigures::columnsPerKernel, kernelsPerTile); and before that the host's thread has to come to it.
///
/// A kernel with an inner block of b applies the k = flops / (4 m n) reflectors in V to C by b at a time (LAPACK:
/// tpmqrt; [Song12] names it SSRFB) in five operations: W = C1; W += V^H C2, b x n, to a depth of m; W = T^H W; C1 -=
/// W; and C2 -= V W, m x n, to a depth of b. Half of the flops are those of the one large product, half those of the
/// other.
class KernelModel {
public:
  /// Throws UsageError where the profile has no rates for the type.
  KernelModel(const MachineProfile &profile, char letter);

  double coreSeconds(const KernelShape &shape) const;
  bool has(std::string_view kernel) const { return profile_.device.kernels.contains(std::string(kernel)); }
  /// The demand of a kernel for which the profile has a body.
  KernelDemand demand(const KernelShape &shape) const;

private:
  /// The demand of a part of a kernel: seconds of the whole device, and seconds that it takes alone.
  struct Use {
    double work, alone;
  };
  KernelDemand onDevice(const KernelShape &shape) const;
  KernelDemand reflectors(double flops, double m, double n, const KernelFigures &figures) const;
  Use productOf(double m, double n, double depth, double flops, double efficiency) const;

  const MachineProfile profile_;
  double elementBytes_, realPerOperation_, coreRate_, deviceRate_;
};

} // namespace tla::runtime
