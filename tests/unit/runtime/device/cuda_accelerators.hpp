// What the tests of the accelerator over CUDA share.
#pragma once

#include "runtime/device/cuda/cuda_accelerator.hpp"
#include "tests/unit/runtime/device/accelerator_samples.hpp"
#ifdef TLA_CUDA_ON_HOST
#include "tests/shims/cuda/streams.hpp"
#endif

#include <tla/kernels/kernels.hpp>

#include <gtest/gtest.h>

namespace tla::test {

using namespace runtime;

inline constexpr CudaHost cudaHost{kernels::setThreadTables};

/// Skipped where there is no device; on one device the peer is the same one.
class CudaAccelerators : public testing::Test {
protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0)
      GTEST_SKIP() << "no CUDA device: " << (status == cudaSuccess ? "none is there" : cudaGetErrorString(status));
    peerDevice_ = devices > 1;
  }
#ifdef TLA_CUDA_ON_HOST
  void TearDown() override { EXPECT_EQ(shim::takeRaces(), std::vector<std::string>()); }
#endif
  static CudaAccelerator make(int device = 0) { return CudaAccelerator(device, {64 << 20}, cudaHost); }
  int peerDevice_ = 0;
};

inline int scaleByTwo(const TaskView &view) {
  scal<double>(2.0, view.tile<double>(0));
  return 0;
}
inline const TaskClass scaleClass{"scal", "test:1", scaleByTwo, nullptr};

} // namespace tla::test
