// The kernels of the process, and the threads of the BLAS under them.
#pragma once

#include <tla/kernels/table.hpp>

namespace hetc {

/// While one lives, the BLAS under the kernels computes each of its calls on one thread: the parallelism is that of the
/// tasks. When the last one ends the BLAS, which may be the host's own, has as many as before. The first installs the
/// kernels; throws std::runtime_error when those that HETC_KERNELS names cannot be loaded.
class BlasGuard {
public:
  BlasGuard();
  ~BlasGuard();
  BlasGuard(const BlasGuard &) = delete;
  BlasGuard &operator=(const BlasGuard &) = delete;

  /// The bodies in use.
  static const tla::kernels::KernelStatus &kernels();
};

} // namespace hetc
