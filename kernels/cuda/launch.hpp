// The stream on which a kernel's body enqueues its work.
#pragma once

#include "kernels/cuda/tuned_products.hpp"

#include <tla/tile.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace tla::kernels::cuda {

/// The priority with which a stream's blocks get multiprocessors: Low for products, High for chains and for tasks more
/// critical than all products that run, Highest for panels.
enum class Urgency { Low, High, Highest };

/// A stream of one device with all that bodies need there: handles, memory, a place for info. One kernel call at a
/// time: begin(), the body on a thread for which this is current(), end(), and when the stream has come to an end,
/// info(). Bodies only enqueue. Those of one thread may serve many launches, one after the other.
class Launch {
public:
  /// On the device that is current for the calling thread. Products are done by `tuned`, which lives longer, where it
  /// has them. Throws CudaError.
  explicit Launch(Urgency urgency = Urgency::Low, const TunedProducts *tuned = nullptr);
  Launch(const Launch &) = delete;
  Launch &operator=(const Launch &) = delete;
  /// Nothing may be on the way.
  ~Launch();

  cudaStream_t stream() const { return stream_; }
  const TunedProducts *tuned() const { return tuned_; }
  cublasHandle_t blas() const { return blas_; }
  /// Made when they are wanted: few streams do, and it takes a while. Throws CudaError.
  cusolverDnHandle_t solver();
  cusolverDnParams_t solverParameters();

  /// Memory of the device until end(), aligned to 256 bytes. What the stream does before it may still use the same.
  void *scratch(std::size_t bytes);
  /// Memory of the host until the stream has come to the call's end.
  void *hostScratch(std::size_t bytes);
  /// LAPACK's info in the device's memory, zero at first.
  int *deviceInfo();

  void begin();
  /// Until end() products of our own do not go to the stream one by one, but as few launches: for bodies that are a
  /// product each and do not depend on each other.
  void hold() { held_.emplace(stream_); }
  /// Null: they are not held.
  HeldProducts *held() { return held_ ? &*held_ : nullptr; }
  /// Enqueues what is held, and what brings info to the host.
  void end();
  /// Valid when the stream has come to the end: 0, or what the body left in deviceInfo().
  int info() const { return usesInfo_ ? *hostInfo_ : 0; }

  /// The launch of the calling thread; there is one while a body runs.
  static Launch &current();

private:
  struct Chunk {
    char *data;
    std::size_t size;
  };
  void create(Urgency urgency);
  void createSolver();
  void destroy();
  Chunk allocate(std::size_t bytes);

  const TunedProducts *const tuned_;
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cusolverDnHandle_t solver_ = nullptr;
  cusolverDnParams_t solverParameters_ = nullptr;
  int *deviceInfo_ = nullptr, *hostInfo_ = nullptr;
  bool usesInfo_ = false;
  std::optional<HeldProducts> held_;
  std::vector<Chunk> chunks_; // in use: all but the last are full
  std::size_t used_ = 0;      // of the last
  std::vector<char> host_;
};

/// Makes a launch the calling thread's current one for the length of a scope.
class CurrentLaunch {
public:
  explicit CurrentLaunch(Launch &launch);
  CurrentLaunch(const CurrentLaunch &) = delete;
  CurrentLaunch &operator=(const CurrentLaunch &) = delete;
  ~CurrentLaunch();

private:
  Launch *const before_;
};

/// An m x n tile of uninitialized device memory until the current launch ends.
template <typename T> Tile<T> scratchTile(int m, int n) {
  const int ld = std::max(1, m);
  return {static_cast<T *>(Launch::current().scratch(sizeof(T) * ld * std::max(1, n))), m, n, ld};
}

/// Rows [i, i + m) and columns [j, j + n) of A.
template <typename T, template <typename> class TileType> TileType<T> block(TileType<T> A, int i, int j, int m, int n) {
  return {const_cast<T *>(A.data()) + i + static_cast<long>(j) * A.ld(), m, n, A.ld()};
}

} // namespace tla::kernels::cuda
