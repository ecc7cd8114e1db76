// LU with partial pivoting of a panel: recursion down to columns that blocks factor together, the rest gemm. Few
// kernels, of which each may have to wait for the blocks of products that fill the device.
#include "kernels/cuda/bodies.hpp"
#include "kernels/cuda/lu_panel.cuh"

namespace tla::kernels::cuda {
namespace {

template <typename T> class PivotedFactorization {
public:
  using D = DeviceType<T>;
  /// `ipiv`: numbers of rows from 1 on, plus `row`.
  PivotedFactorization(int row, Tile<T> A, OutTile<int> ipiv, const Multiprocessors &device)
      : row_(row), A_(A), ipiv_(ipiv), device_(device), info_(Launch::current().deviceInfo()) {
    // Letters of all multiprocessors: fewer rows may be dealt to more blocks than more rows are.
    Launch &launch = Launch::current();
    const std::size_t rows = sizeof(Letter<D>) * LuLetters<D>::rowsOf(device.count),
                      candidates = sizeof(Letter<Best>) * LuLetters<D>::candidatesOf(device.count);
    void *const letters = launch.scratch(rows + candidates);
    TLA_CUDA_CHECK(cudaMemsetAsync(letters, 0, rows + candidates, launch.stream()));
    letters_.rows = static_cast<Letter<D> *>(letters);
    letters_.candidates = reinterpret_cast<Letter<Best> *>(letters_.rows + LuLetters<D>::rowsOf(device.count));
  }

  static std::optional<RowParts> partsOf(int rows, const Multiprocessors &device) {
    constexpr int few = luThreads; // a thread has a row
    return rowPartsOf(rows, few, LuMemory<D>::fixedBytes, LuMemory<D>::rowBytes, device);
  }

  void run() {
    const int k = std::min(A_.m(), A_.n()), others = A_.n() - k;
    factor(0, k);
    if (others > 0)
      follow(0, k, k, others);
  }

private:
  using Best = Candidate<RealOf<D>>;
  static constexpr int mostTogether = 256; ///< columns

  void factor(int l, int n) {
    if (n <= mostTogether)
      return factorTogether(l, n);
    const int h = (n / 2 + mostTogether - 1) / mostTogether * mostTogether;
    factor(l, h);
    follow(l, h, l + h, n - h);
    cuda::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), block(A_, l + h, l, A_.m() - l - h, h),
                  block(A_, l, l + h, h, n - h), T(1), block(A_, l + h, l + h, A_.m() - l - h, n - h));
    factor(l + h, n - h);
    interchange(l + h, n - h, l, h);
  }

  /// Columns [c, c + n) have the interchanges, and the rows of U, of columns [l, l + h).
  void follow(int l, int h, int c, int n) {
    interchange(l, h, c, n);
    cuda::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), block(A_, l, l, h, h), block(A_, l, c, h, n));
  }

  void interchange(int l, int h, int c, int n) {
    const Tile<T> rows = block(A_, l, c, A_.m() - l, n);
    cuda::laswp<T>(row_ + l, ConstTile<int>(ipiv_.data() + l, h, 1, ipiv_.ld()), 1, Panel<T>(&rows, 1));
  }

  void factorTogether(int l, int n) {
    const RowParts parts = *partsOf(A_.m() - l, device_);
    LuLetters<D> letters = letters_;
    letters.firstRound = rounds_.take(n);
    const LuPanel<D> panel{viewOf<T>(block(A_, l, l, A_.m() - l, n)), ipiv_.data() + l, row_ + l + 1, info_, l};
    enqueueTogether(device_, parts.blocks, luThreads, LuMemory<D>::fixedBytes + parts.rows * LuMemory<D>::rowBytes,
                    factorLuPanel<D>, panel, parts, letters, arrivals_.take(parts.blocks, LuBlock<D>::waits(n)));
  }

  const int row_;
  const Tile<T> A_;
  const OutTile<int> ipiv_;
  const Multiprocessors device_;
  int *const info_;
  LuLetters<D> letters_{};
  Rounds rounds_;
  ArrivalCounter arrivals_;
};

} // namespace

template <typename T> bool getrfTogether(int row, Tile<T> A, OutTile<int> ipiv) {
  const Multiprocessors device = multiprocessorsOfDevice();
  if (!PivotedFactorization<T>::partsOf(A.m(), device))
    return false;
  PivotedFactorization<T>(row, A, ipiv, device).run();
  return true;
}

#define TLA_INSTANTIATE(T) template bool getrfTogether(int, Tile<T>, OutTile<int>);
TLA_FOR_TYPES(TLA_INSTANTIATE)
#undef TLA_INSTANTIATE

} // namespace tla::kernels::cuda
