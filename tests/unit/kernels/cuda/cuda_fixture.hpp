// What the tests of the bodies for CUDA devices have in common.
#pragma once

#include "kernels/cuda/bodies.hpp"
#include "kernels/reference/reference.hpp"
#include "tests/unit/kernels/samples.hpp"

#include <cstdlib>
#include <memory>
#include <optional>

namespace tla::test {

namespace cuda = kernels::cuda;

/// A sample in the device's memory, its padding included.
template <typename T> class OnDevice {
public:
  explicit OnDevice(Sample<T> &sample) : sample_(sample) {
    TLA_CUDA_CHECK(cudaMalloc(&data_, bytes()));
    TLA_CUDA_CHECK(cudaMemcpy(data_, sample.tile().data(), bytes(), cudaMemcpyHostToDevice));
    // From memory that is not pinned it comes back when all is staged, and streams that block nobody do not wait for
    // it.
    TLA_CUDA_CHECK(cudaDeviceSynchronize());
  }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
  ~OnDevice() { cudaFree(data_); }

  Tile<T> tile() { return {static_cast<T *>(data_), sample_.m(), sample_.n(), sample_.tile().ld()}; }
  /// Brings the content back to the sample.
  void fetch() { TLA_CUDA_CHECK(cudaMemcpy(sample_.tile().data(), data_, bytes(), cudaMemcpyDeviceToHost)); }

private:
  std::size_t bytes() { return std::max<std::size_t>(1, sizeof(T) * sample_.tile().ld() * sample_.n()); }
  Sample<T> &sample_;
  void *data_ = nullptr;
};

/// The tiles of a panel that lies in one array, of `height` rows each, the last with what is left.
template <typename T> std::vector<Tile<T>> tilesOf(Tile<T> A, int height) {
  std::vector<Tile<T>> tiles;
  for (int i = 0; i < A.m(); i += height)
    tiles.push_back(cuda::block(A, i, 0, std::min(height, A.m() - i), A.n()));
  return tiles;
}

/// Panels are cuSOLVER's for the length of a scope.
class PanelsByCuSolver {
public:
  PanelsByCuSolver() { setenv("HETC_CUDA_PANELS", "cusolver", 1); }
  PanelsByCuSolver(const PanelsByCuSolver &) = delete;
  PanelsByCuSolver &operator=(const PanelsByCuSolver &) = delete;
  ~PanelsByCuSolver() { unsetenv("HETC_CUDA_PANELS"); }
};

/// Skipped, with the reason, where there is no device.
template <typename T> class CudaTest : public ::testing::Test {
public:
  void SetUp() override {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0)
      GTEST_SKIP() << "no CUDA device: " << (status == cudaSuccess ? "none is there" : cudaGetErrorString(status));
    launch_ = std::make_unique<cuda::Launch>();
  }

  /// One kernel call, waited for; its info.
  template <typename Call> int run(Call call) {
    launch_->begin();
    {
      const cuda::CurrentLaunch current(*launch_);
      call();
    }
    launch_->end();
    TLA_CUDA_CHECK(cudaStreamSynchronize(launch_->stream()));
    return launch_->info();
  }
  /// The samples are in the device's memory for the length of the call, and hold what it left there afterwards.
  template <typename Call, typename... Samples> int runOn(Call call, Samples &...samples) {
    return [&](auto &&...there) {
      const int info = run([&] { call(there.tile()...); });
      (there.fetch(), ...);
      return info;
    }(OnDevice(samples)...);
  }

  static double tolerance(int k) { return 32 * (k + 4) * epsilon<T>(); }

private:
  std::unique_ptr<cuda::Launch> launch_;
};

} // namespace tla::test
