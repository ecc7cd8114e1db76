// Panels of LU and QR on a CUDA device, ours and cuSOLVER's, alone and beside products that fill the device: what a
// factorization waits for.
//
//   gpu_panels [--device D] [--repeat R] [ROWSxCOLUMNS ...]
//
// Prints one JSON object a line: {"panel", "whose", "rows", "columns", "alone_ms", "beside_ms", "enqueue_ms",
// "products_gflops"}; times are the least of the repetitions, products those beside. Exits with 1 when one fails, and
// with 2 on wrong arguments.
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/check.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace cuda = tla::kernels::cuda;
using tla::Op;
using tla::OutTile;
using tla::Panel;
using tla::Tile;
using Clock = std::chrono::steady_clock;

struct Shape {
  int rows, columns;
};

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Random elements in [-1, 1) that depend on the place alone.
__global__ void fill(double *data, long count) {
  for (long e = blockIdx.x * long(blockDim.x) + threadIdx.x; e < count; e += long(gridDim.x) * blockDim.x) {
    unsigned long x = (e + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    data[e] = double(x >> 12) / double(1ul << 51) - 1;
  }
}

class Matrix {
public:
  Matrix(int rows, int columns) : rows_(rows), columns_(columns) {
    TLA_CUDA_CHECK(cudaMalloc(reinterpret_cast<void **>(&data_), sizeof(double) * rows * columns));
    refill();
  }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  ~Matrix() { cudaFree(data_); }
  void refill() const {
    fill<<<1024, 256>>>(data_, static_cast<long>(rows_) * columns_);
    TLA_CUDA_CHECK(cudaDeviceSynchronize());
  }
  Tile<double> tile() const { return {data_, rows_, columns_, rows_}; }

private:
  const int rows_, columns_;
  double *data_ = nullptr;
};

/// Updates of tiles in as many streams as an accelerator has for them, given by a thread as they end.
class Products {
public:
  static constexpr int order = 2048, streams = 16;
  explicit Products(int device) : device_(device), A_(order, order), B_(order, order) {
    for (int s = 0; s < streams; ++s) {
      launches_.push_back(std::make_unique<cuda::Launch>());
      C_.push_back(std::make_unique<Matrix>(order, order));
      TLA_CUDA_CHECK(cudaEventCreateWithFlags(&ends_[s], cudaEventDisableTiming));
    }
  }
  Products(const Products &) = delete;
  Products &operator=(const Products &) = delete;
  ~Products() {
    for (const cudaEvent_t end : ends_)
      cudaEventDestroy(end);
  }
  void start() {
    stop_ = false;
    count_ = 0;
    begin_ = Clock::now();
    feeder_ = std::thread([this] {
      cudaSetDevice(device_);
      while (!stop_)
        for (int s = 0; s < streams; ++s)
          if (cudaEventQuery(ends_[s]) == cudaSuccess)
            update(s);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(10)); // the device is full of them
  }
  /// Gflop/s since start().
  double finish() {
    stop_ = true;
    feeder_.join();
    TLA_CUDA_CHECK(cudaDeviceSynchronize());
    return static_cast<double>(count_) * 2e-9 * order * order * order / secondsSince(begin_);
  }

private:
  void update(int s) {
    cuda::Launch &launch = *launches_[s];
    launch.begin();
    const cuda::CurrentLaunch current(launch);
    cuda::gemm<double>(Op::NoTrans, Op::Trans, -1e-9, A_.tile(), B_.tile(), 1.0, C_[s]->tile());
    TLA_CUDA_CHECK(cudaEventRecord(ends_[s], launch.stream()));
    ++count_;
  }

  const int device_;
  const Matrix A_, B_;
  std::vector<std::unique_ptr<Matrix>> C_;
  std::vector<std::unique_ptr<cuda::Launch>> launches_;
  cudaEvent_t ends_[streams] = {};
  std::thread feeder_;
  std::atomic<bool> stop_{false};
  long count_ = 0;
  Clock::time_point begin_;
};

class Bench {
public:
  Bench(int device, int repeat) : repeat_(repeat), products_(device), launch_(cuda::Urgency::Highest) {
    TLA_CUDA_CHECK(cudaEventCreate(&begin_));
    TLA_CUDA_CHECK(cudaEventCreate(&end_));
  }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;
  ~Bench() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  void run(bool isQr, bool isOwn, Shape shape) {
    setenv("HETC_CUDA_PANELS", isOwn ? "own" : "cusolver", 1);
    const int n = shape.columns;
    const Matrix A(shape.rows, n), W(n, n), tau(n, 1), pivots(n, 1);
    const auto factor = [&] {
      const Tile<double> tiles[] = {A.tile()};
      const Panel<double> panel(tiles, 1);
      if (isQr)
        cuda::geqrf<double>(panel, OutTile<double>(tau.tile().data(), n, 1, n),
                            OutTile<double>(W.tile().data(), n, n, n));
      else
        cuda::getrf<double>(0, panel, OutTile<int>(reinterpret_cast<int *>(pivots.tile().data()), n, 1, n));
    };
    double alone = 1e9, beside = 1e9, enqueue = 1e9, rate = 0;
    for (int r = 0; r < repeat_; ++r) {
      A.refill();
      alone = std::min(alone, time(factor, enqueue));
      A.refill();
      products_.start();
      beside = std::min(beside, time(factor, enqueue));
      rate = std::max(rate, products_.finish());
    }
    std::printf("{\"panel\": \"%s\", \"whose\": \"%s\", \"rows\": %d, \"columns\": %d, \"alone_ms\": %.3f, "
                "\"beside_ms\": %.3f, \"enqueue_ms\": %.3f, \"products_gflops\": %.0f}\n",
                isQr ? "geqrf" : "getrf", isOwn ? "own" : "cuSOLVER", shape.rows, n, alone, beside, enqueue, rate);
    std::fflush(stdout);
  }

private:
  /// Milliseconds on the device, and, when they are less, those that it took to enqueue.
  template <typename Work> double time(const Work &work, double &enqueue) {
    launch_.begin();
    TLA_CUDA_CHECK(cudaEventRecord(begin_, launch_.stream()));
    const Clock::time_point begin = Clock::now();
    {
      const cuda::CurrentLaunch current(launch_);
      work();
    }
    enqueue = std::min(enqueue, 1e3 * secondsSince(begin));
    launch_.end();
    TLA_CUDA_CHECK(cudaEventRecord(end_, launch_.stream()));
    TLA_CUDA_CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    TLA_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds;
  }

  const int repeat_;
  Products products_;
  cuda::Launch launch_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

int usage() {
  std::fprintf(stderr, "usage: gpu_panels [--device D] [--repeat R] [ROWSxCOLUMNS ...]\n");
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  int device = 0, repeat = 3;
  std::vector<Shape> shapes;
  for (int i = 1; i < argc; ++i) {
    Shape shape{};
    char rest = 0;
    if (!std::strcmp(argv[i], "--device") && i + 1 < argc)
      device = std::atoi(argv[++i]);
    else if (!std::strcmp(argv[i], "--repeat") && i + 1 < argc)
      repeat = std::max(1, std::atoi(argv[++i]));
    else if (std::sscanf(argv[i], "%dx%d%c", &shape.rows, &shape.columns, &rest) == 2 && shape.columns > 0 &&
             shape.rows >= shape.columns)
      shapes.push_back(shape);
    else
      return usage();
  }
  if (shapes.empty())
    shapes = {{32768, 2048}, {32768, 1024}, {32768, 512}, {16384, 1024}, {8192, 1024}, {2048, 1024}, {2048, 32}};
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); // as an accelerator asks for them
  try {
    TLA_CUDA_CHECK(cudaSetDevice(device));
    Bench bench(device, repeat);
    for (const bool isQr : {false, true})
      for (const Shape shape : shapes)
        for (const bool isOwn : {true, false})
          bench.run(isQr, isOwn, shape);
  } catch (const cuda::CudaError &error) {
    std::fprintf(stderr, "gpu_panels: %s\n", error.what());
    return 1;
  }
  return 0;
}
