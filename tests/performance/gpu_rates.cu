// What a CUDA device can do, for hetc to be measured against in the same run: the peak of its tensor cores in double,
// cuBLAS's dgemm, cuSOLVER's factorizations of a matrix that is on the device already.
//
//   gpu_rates [--device D] [--repeat R] [N ...]
//
// Prints one JSON object a line: {"bench", "n", "gflops", "min", "max"}, medians over the repetitions.
#include "kernels/cuda/check.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

constexpr int chains = 4, rounds = 2000; // independent accumulators per warp, products of each

/// One product of double tiles on the tensor cores: 16 x 8 x 16 where the device has it, else 8 x 8 x 4. Returns its
/// operations.
__device__ double multiplyAccumulate(double (&c)[4], double x, double y) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
               "{%5,%5,%5,%5}, {%0,%1,%2,%3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(x), "d"(y));
  return 2.0 * 16 * 8 * 16;
#else
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(x), "d"(y));
  return 2.0 * 8 * 8 * 4;
#endif
}

/// Counts the work of one warp in *operations. No two chains may do the same: the assembler of the device makes one of
/// them.
__global__ void tensorLoop(double *sink, double *operations) {
  double c[chains][4] = {}, count = 0;
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int chain = 0; chain < chains; ++chain)
      count += multiplyAccumulate(c[chain], 1.0000001, 1e-9 * (chain + 1));
  double sum = 0;
  for (const auto &one : c)
    for (const double x : one)
      sum += x;
  if (sum == -1) // never: the products are needed
    *sink = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0)
    *operations = count;
}

/// Random elements in [-1, 1) that depend on the place alone; a diagonal of 2 n makes it positive definite.
__global__ void fill(double *A, int n) {
  for (std::int64_t e = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x; e < std::int64_t(n) * n;
       e += std::int64_t(gridDim.x) * blockDim.x) {
    const std::int64_t i = e % n, j = e / n, low = i < j ? i : j, high = i < j ? j : i;
    std::uint64_t x = (std::uint64_t(high) << 32 | std::uint64_t(low)) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    A[e] = double(x >> 12) / double(std::uint64_t(1) << 51) - 1 + (i == j ? 2.0 * n : 0);
  }
}

class Device {
public:
  explicit Device(int number) {
    TLA_CUDA_CHECK(cudaSetDevice(number));
    TLA_CUDA_CHECK(cudaGetDeviceProperties(&properties, number));
    TLA_CUDA_CHECK(cudaEventCreate(&begin_));
    TLA_CUDA_CHECK(cudaEventCreate(&end_));
    TLA_CUDA_CHECK(cublasCreate(&blas));
    TLA_CUDA_CHECK(cusolverDnCreate(&solver));
    TLA_CUDA_CHECK(cusolverDnCreateParams(&parameters));
  }
  /// Seconds of work() on the default stream, behind prepare().
  double time(const std::function<void()> &prepare, const std::function<void()> &work) {
    prepare();
    TLA_CUDA_CHECK(cudaEventRecord(begin_));
    work();
    TLA_CUDA_CHECK(cudaEventRecord(end_));
    TLA_CUDA_CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    TLA_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds * 1e-3;
  }
  cudaDeviceProp properties{};
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cusolverDnParams_t parameters = nullptr;

private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

template <typename T> class Memory {
public:
  explicit Memory(std::size_t count) {
    TLA_CUDA_CHECK(cudaMalloc(reinterpret_cast<void **>(&data_), std::max<std::size_t>(1, count) * sizeof(T)));
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { cudaFree(data_); }
  T *get() const { return data_; }

private:
  T *data_ = nullptr;
};

/// The first run, which loads and tunes, does not count.
void measure(Device &device, const char *bench, int n, int repeat, double flops, const std::function<void()> &prepare,
             const std::function<void()> &work) {
  std::vector<double> rates;
  for (int r = 0; r <= repeat; ++r)
    rates.push_back(flops * 1e-9 / device.time(prepare, work));
  rates.erase(rates.begin());
  std::sort(rates.begin(), rates.end());
  std::printf("{\"bench\": \"%s\", \"n\": %d, \"gflops\": %.1f, \"min\": %.1f, \"max\": %.1f}\n", bench, n,
              rates[rates.size() / 2], rates.front(), rates.back());
  std::fflush(stdout);
}

void measureTensorCores(Device &device, int repeat) {
  constexpr int threads = 256, blocksPerMultiprocessor = 4;
  const int blocks = blocksPerMultiprocessor * device.properties.multiProcessorCount;
  const Memory<double> results(2);
  const auto loop = [&] { tensorLoop<<<blocks, threads>>>(results.get(), results.get() + 1); };
  loop();
  double perWarp = 0;
  TLA_CUDA_CHECK(cudaMemcpy(&perWarp, results.get() + 1, sizeof perWarp, cudaMemcpyDeviceToHost));
  measure(
      device, "tensor cores, double", 0, repeat, perWarp * blocks * (threads / 32), [] {}, loop);
}

void measureGemm(Device &device, int n, int repeat) {
  const std::size_t size = std::size_t(n) * n;
  const Memory<double> A(size), B(size), C(size);
  fill<<<1024, 256>>>(A.get(), n);
  fill<<<1024, 256>>>(B.get(), n);
  measure(
      device, "cuBLAS dgemm", n, repeat, 2.0 * n * n * n, [] {},
      [&] {
        const double one = 1, zero = 0;
        TLA_CUDA_CHECK(cublasDgemm(device.blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, A.get(), n, B.get(), n, &zero,
                                   C.get(), n));
      });
}

void measureFactorizations(Device &device, int n, int repeat) {
  const Memory<double> A(std::size_t(n) * n), tau(n);
  const Memory<std::int64_t> pivots(n);
  const Memory<int> info(1);
  const auto prepare = [&] { fill<<<1024, 256>>>(A.get(), n); };
  const double cube = double(n) * n * n;
  constexpr cudaDataType real = CUDA_R_64F;
  std::size_t bytes = 0, hostBytes = 0;
  {
    TLA_CUDA_CHECK(cusolverDnXpotrf_bufferSize(device.solver, device.parameters, CUBLAS_FILL_MODE_LOWER, n, real,
                                               A.get(), n, real, &bytes, &hostBytes));
    const Memory<char> work(bytes);
    std::vector<char> hostWork(hostBytes);
    measure(device, "cuSOLVER potrf", n, repeat, cube / 3, prepare, [&] {
      TLA_CUDA_CHECK(cusolverDnXpotrf(device.solver, device.parameters, CUBLAS_FILL_MODE_LOWER, n, real, A.get(), n,
                                      real, work.get(), bytes, hostWork.data(), hostBytes, info.get()));
    });
  }
  {
    TLA_CUDA_CHECK(cusolverDnXgetrf_bufferSize(device.solver, device.parameters, n, n, real, A.get(), n, real, &bytes,
                                               &hostBytes));
    const Memory<char> work(bytes);
    std::vector<char> hostWork(hostBytes);
    measure(device, "cuSOLVER getrf", n, repeat, 2 * cube / 3, prepare, [&] {
      TLA_CUDA_CHECK(cusolverDnXgetrf(device.solver, device.parameters, n, n, real, A.get(), n, pivots.get(), real,
                                      work.get(), bytes, hostWork.data(), hostBytes, info.get()));
    });
  }
  TLA_CUDA_CHECK(cusolverDnXgeqrf_bufferSize(device.solver, device.parameters, n, n, real, A.get(), n, real, tau.get(),
                                             real, &bytes, &hostBytes));
  const Memory<char> work(bytes);
  std::vector<char> hostWork(hostBytes);
  measure(device, "cuSOLVER geqrf", n, repeat, 4 * cube / 3, prepare, [&] {
    TLA_CUDA_CHECK(cusolverDnXgeqrf(device.solver, device.parameters, n, n, real, A.get(), n, real, tau.get(), real,
                                    work.get(), bytes, hostWork.data(), hostBytes, info.get()));
  });
}
} // namespace

int main(int count, char **arguments) try {
  int number = 0, repeat = 5;
  std::vector<int> sizes;
  for (int i = 1; i < count; ++i)
    if (!std::strcmp(arguments[i], "--device") && i + 1 < count)
      number = std::atoi(arguments[++i]);
    else if (!std::strcmp(arguments[i], "--repeat") && i + 1 < count)
      repeat = std::max(1, std::atoi(arguments[++i]));
    else if (const int n = std::atoi(arguments[i]); n > 0)
      sizes.push_back(n);
    else
      return std::fprintf(stderr, "usage: gpu_rates [--device D] [--repeat R] [N ...]\n"), 2;
  Device device(number);
  std::printf("{\"bench\": \"device\", \"name\": \"%s\", \"multiprocessors\": %d}\n", device.properties.name,
              device.properties.multiProcessorCount);
  measureTensorCores(device, repeat);
  for (const int n : sizes.empty() ? std::vector{4096, 8192, 16384} : sizes) {
    measureGemm(device, n, repeat);
    measureFactorizations(device, n, repeat);
  }
} catch (const std::exception &error) {
  std::fprintf(stderr, "gpu_rates: %s\n", error.what());
  return 1;
}
