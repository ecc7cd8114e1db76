// LU with pivots and QR of a whole panel: by kernels of our own where the device has room for its rows, else by
// cuSOLVER. A panel is bound by the latency of its columns, and does not leave the device.
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/panel_view.cuh"
#include "kernels/cuda/solver.hpp"
#include "kernels/cuda/table.hpp"

namespace tla::kernels::cuda {
namespace {

/// The tiles of a panel side by side, as cuSOLVER wants a matrix: in scratch memory, unless there is but one.
template <typename T> class Gathered {
public:
  explicit Gathered(Panel<T> A) : panel_(A), whole_(A.mt() == 1 ? A(0) : scratchTile<T>(A.m(), A.n())) {
    copy(Way::Gather);
  }
  Tile<T> whole() const { return whole_; }
  void scatter() { copy(Way::Scatter); }

private:
  void copy(Way way) {
    if (panel_.mt() > 1)
      copyPanel(panel_, whole_, way);
  }

  const Panel<T> panel_;
  const Tile<T> whole_;
};

} // namespace

template <typename T> int getrf(int row, Panel<T> A, OutTile<int> ipiv) {
  const int k = std::min(A.m(), A.n());
  if (k == 0)
    return 0;
  Launch &launch = Launch::current();
  Gathered<T> gathered(A);
  const Tile<T> X = gathered.whole();
  if (panelsAreOurs() && getrfTogether<T>(row, X, ipiv)) {
    gathered.scatter();
    return 0;
  }
  const Tile<std::int64_t> pivots = scratchTile<std::int64_t>(k, 1);
  const cudaDataType type = dataType<T>();
  std::size_t bytes = 0, hostBytes = 0;
  TLA_CUDA_CHECK(cusolverDnXgetrf_bufferSize(launch.solver(), launch.solverParameters(), X.m(), X.n(), type, X.data(),
                                             X.ld(), type, &bytes, &hostBytes));
  TLA_CUDA_CHECK(cusolverDnXgetrf(launch.solver(), launch.solverParameters(), X.m(), X.n(), type, X.data(), X.ld(),
                                  pivots.data(), type, launch.scratch(bytes), bytes, launch.hostScratch(hostBytes),
                                  hostBytes, launch.deviceInfo()));
  gathered.scatter();
  // Of columns with NaN nothing is said; whoever interchanges by them must stay within the panel.
  forEach(k, 1, [row, m = X.m(), from = pivots.data(), to = viewOf<int>(ipiv)] __device__(int i, int) {
    const bool isRow = from[i] > i && from[i] <= m;
    to(i, 0) = row + (isRow ? static_cast<int>(from[i]) : i + 1);
  });
  return 0;
}

template <typename T> void geqrf(Panel<T> A, OutTile<T> tau, OutTile<T> W) {
  const int k = std::min(A.m(), A.n());
  if (k == 0)
    return cuda::laset<T>(T(0), T(0), W);
  Launch &launch = Launch::current();
  {
    Gathered<T> gathered(A);
    const Tile<T> X = gathered.whole();
    if (panelsAreOurs() && geqrfTogether<T>(X, tau, W))
      return gathered.scatter();
    const cudaDataType type = dataType<T>();
    std::size_t bytes = 0, hostBytes = 0;
    TLA_CUDA_CHECK(cusolverDnXgeqrf_bufferSize(launch.solver(), launch.solverParameters(), X.m(), X.n(), type, X.data(),
                                               X.ld(), type, tau.data(), type, &bytes, &hostBytes));
    TLA_CUDA_CHECK(cusolverDnXgeqrf(launch.solver(), launch.solverParameters(), X.m(), X.n(), type, X.data(), X.ld(),
                                    type, tau.data(), type, launch.scratch(bytes), bytes, launch.hostScratch(hostBytes),
                                    hostBytes, launch.deviceInfo()));
    gathered.scatter();
  }
  cuda::larft<T>(A, ConstTile<T>(tau.data(), k, 1, tau.ld()), W);
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template int getrf(int, Panel<T>, OutTile<int>);                                                                     \
  template void geqrf(Panel<T>, OutTile<T>, OutTile<T>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
