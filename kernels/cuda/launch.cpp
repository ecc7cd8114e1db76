#include "kernels/cuda/launch.hpp"

#include <cstring>
#include <numeric>

namespace tla::kernels::cuda {

void fail(const char *call, const std::string &reason) {
  int device = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess;
  throw CudaError(std::string(call, std::strcspn(call, "(")) + (known ? " on device " + std::to_string(device) : "") +
                  ": " + reason);
}

/// The launch is the thread's, as bodies have the kernels' own parameters (setThreadTables()), and none for a launch.
static thread_local Launch *currentLaunch = nullptr;

CurrentLaunch::CurrentLaunch(Launch &launch) : before_(currentLaunch) { currentLaunch = &launch; }
CurrentLaunch::~CurrentLaunch() { currentLaunch = before_; }

Launch &Launch::current() {
  if (!currentLaunch)
    throw CudaError("a CUDA kernel was called on a thread that launches none");
  return *currentLaunch;
}

Launch::Launch(Urgency urgency, const TunedProducts *tuned) : tuned_(tuned) {
  try {
    create(urgency);
  } catch (...) {
    destroy();
    throw;
  }
}

Launch::~Launch() { destroy(); }

void Launch::create(Urgency urgency) {
  int least = 0, greatest = 0; // which is the smaller number
  TLA_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  const int priority = std::max(greatest, least - static_cast<int>(urgency));
  TLA_CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
  TLA_CUDA_CHECK(cublasCreate(&blas_));
  TLA_CUDA_CHECK(cublasSetStream(blas_, stream_));
  // As much as cuBLAS's documentation recommends for Hopper (cublasSetWorkspace).
  constexpr std::size_t blasBytes = std::size_t(32) << 20;
  chunks_.push_back(allocate(blasBytes));
  TLA_CUDA_CHECK(cublasSetWorkspace(blas_, chunks_[0].data, blasBytes));
  if (urgency == Urgency::Highest) // of a panel, which may want it
    createSolver();
  TLA_CUDA_CHECK(cudaMalloc(reinterpret_cast<void **>(&deviceInfo_), sizeof(int)));
  TLA_CUDA_CHECK(cudaMallocHost(reinterpret_cast<void **>(&hostInfo_), sizeof(int)));
  begin();
}

void Launch::createSolver() {
  if (!solver_)
    TLA_CUDA_CHECK(cusolverDnCreate(&solver_));
  TLA_CUDA_CHECK(cusolverDnSetStream(solver_, stream_));
  TLA_CUDA_CHECK(cusolverDnCreateParams(&solverParameters_));
}

cusolverDnHandle_t Launch::solver() {
  if (!solverParameters_)
    createSolver();
  return solver_;
}

cusolverDnParams_t Launch::solverParameters() {
  if (!solverParameters_)
    createSolver();
  return solverParameters_;
}

/// An error here has nobody to hear it: the device is given up, or was lost before.
void Launch::destroy() {
  if (solverParameters_)
    cusolverDnDestroyParams(solverParameters_);
  if (solver_)
    cusolverDnDestroy(solver_);
  if (blas_)
    cublasDestroy(blas_);
  for (const Chunk &chunk : chunks_)
    cudaFreeAsync(chunk.data, stream_);
  cudaFree(deviceInfo_);
  cudaFreeHost(hostInfo_);
  if (stream_)
    cudaStreamDestroy(stream_);
}

Launch::Chunk Launch::allocate(std::size_t bytes) {
  void *data = nullptr;
  TLA_CUDA_CHECK(cudaMallocAsync(&data, bytes, stream_));
  return {static_cast<char *>(data), bytes};
}

/// Chunk 0 is cuBLAS's. Growing and shrinking is in the order of the stream, so nobody waits for it.
void *Launch::scratch(std::size_t bytes) {
  constexpr std::size_t line = 256, smallest = std::size_t(8) << 20, growth = std::size_t(64) << 20;
  bytes = std::max(line, (bytes + line - 1) / line * line);
  if (chunks_.size() == 1 || chunks_.back().size - used_ < bytes) {
    chunks_.push_back(
        allocate(std::max({bytes, std::min(growth, 2 * chunks_.back().size * (chunks_.size() > 1)), smallest})));
    used_ = 0;
  }
  void *const memory = chunks_.back().data + used_;
  used_ += bytes;
  return memory;
}

void *Launch::hostScratch(std::size_t bytes) {
  if (host_.size() < bytes)
    host_.resize(bytes);
  return host_.data();
}

int *Launch::deviceInfo() {
  if (!usesInfo_)
    TLA_CUDA_CHECK(cudaMemsetAsync(deviceInfo_, 0, sizeof(int), stream_));
  usesInfo_ = true;
  return deviceInfo_;
}

/// Replaces several chunks by one of their size, so that the next call finds enough in it.
void Launch::begin() {
  usesInfo_ = false;
  held_.reset();
  used_ = 0;
  if (chunks_.size() <= 2)
    return;
  const std::size_t sum = std::accumulate(chunks_.begin() + 1, chunks_.end(), std::size_t(0),
                                          [](std::size_t bytes, const Chunk &chunk) { return bytes + chunk.size; });
  for (; chunks_.size() > 1; chunks_.pop_back())
    TLA_CUDA_CHECK(cudaFreeAsync(chunks_.back().data, stream_));
  chunks_.push_back(allocate(sum));
}

void Launch::end() {
  if (held_)
    held_->flush();
  held_.reset();
  if (usesInfo_)
    TLA_CUDA_CHECK(cudaMemcpyAsync(hostInfo_, deviceInfo_, sizeof(int), cudaMemcpyDeviceToHost, stream_));
}

} // namespace tla::kernels::cuda
