// Stands for device.cpp in a build without the toolkit.
#include "kernels/tuning/cuda/device.hpp"

namespace hetc::tuning::cuda {

static Error absent() {
  return Error("this hetc cannot measure on CUDA devices: build it with -DTLA_CUDA=ON (preset cuda)");
}

class GemmOnDevice::State {};

DeviceFacts factsOf(int) { throw absent(); }
GemmOnDevice::GemmOnDevice(int, const std::string &, const Problem &) { throw absent(); }
GemmOnDevice::~GemmOnDevice() = default;
std::string GemmOnDevice::verify() { throw absent(); }
double GemmOnDevice::run() { throw absent(); }
double GemmOnDevice::runCublas() { throw absent(); }

} // namespace hetc::tuning::cuda
