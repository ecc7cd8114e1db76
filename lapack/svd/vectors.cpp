#include "lapack/svd/vectors.hpp"

#include "lapack/algorithms.hpp"

#include <tla/runtime/memory.hpp>

#include <algorithm>
#include <vector>

namespace tla::lapack {
namespace {

/// Workspaces of a run of gesvd on the square part, in elements by the square of its order, and copies of A's size.
constexpr double squareWork = 18, copiesOfA = 4;

/// A column-major array of the caller's, or of this call's own.
template <typename T> struct Array {
  T *data;
  long ld;
};

/// One call, of a matrix with k = min(m, n). A = Q R or L Q where it is not square; then R or L = X S Z^H, and the
/// longer side's vectors are X with zeros below it and unit columns beside it, times Q, or Z^H so.
template <typename T> class SvdCall {
public:
  using Wanted = VectorsOfSide<T>;
  using Count = typename Wanted::Count;

  SvdCall(Tiles &tiles, const SvdMatrix<T> &A, RealType<T> *s, const Wanted &left, const Wanted &right)
      : tiles_(tiles), A_(A), k_(A.least()), s_(s), left_(left), right_(right), isTall_(A.m > A.n), isWide_(A.m < A.n) {
  }

  /// Returns info.
  int compute() {
    const long k = k_, columns = wanted(left_, A_.m), rows = wanted(right_, A_.n);
    std::vector<T> ownLeft, ownRight, core(A_.m == A_.n ? 0 : k * k), tau(k);
    const Array<T> U = place(left_, A_.m, columns, ownLeft), VH = place(right_, rows, A_.n, ownRight);
    if (isTall_ || isWide_)
      factor(tau, core);
    const StorageRef square =
        isTall_ || isWide_ ? tiles_.general(core.data(), k, k, k) : tiles_.general(A_.a, k, k, A_.lda);
    const int info =
        tiles_.run(algorithm::gesvd<T>(), {square, tiles_.general(s_, k, 1, k), tiles_.general(U.data, k, k, U.ld),
                                           tiles_.general(VH.data, k, k, VH.ld)});
    if (info && !isTall_ && !isWide_)
      throw NotStarted("singular values did not converge on tiles");
    if (info)
      return info;
    if (isTall_ && columns > 0)
      extendLeft(tau, U, columns);
    if (isWide_ && rows > 0)
      extendRight(tau, VH, rows);
    if (isInPlace(left_))
      copyToA(U, A_.m, columns);
    if (isInPlace(right_))
      copyToA(VH, rows, A_.n);
    return 0;
  }

private:
  bool isInPlace(const Wanted &side) const { return side.count != Count::None && side.array == A_.a; }
  long wanted(const Wanted &side, long all) const {
    return side.count == Count::None ? 0 : side.count == Count::All ? all : k_;
  }
  /// Returns the array that takes rows x columns vectors, and k x k ones where none are wanted.
  Array<T> place(const Wanted &side, long rows, long columns, std::vector<T> &own) const {
    if (side.count != Count::None && !isInPlace(side))
      return {side.array, side.ld};
    const bool isWanted = side.count != Count::None;
    const long ld = isWanted ? rows : k_;
    own.resize(ld * (isWanted ? columns : k_));
    return {own.data(), ld};
  }

  StorageRef factors(const std::vector<T> &tau) const { return tiles_.general(tau.data(), k_, 1, k_); }
  StorageRef reflectors() const { return tiles_.general(A_.a, A_.m, A_.n, A_.lda); }

  /// core = the triangular factor.
  void factor(std::vector<T> &tau, std::vector<T> &core) {
    tiles_.run(isTall_ ? algorithm::geqrf<T>() : algorithm::gelqf<T>(), {reflectors(), factors(tau)});
    for (long j = 0; j < k_; ++j) {
      const long first = isTall_ ? 0 : j, end = isTall_ ? j + 1 : k_;
      std::copy(A_.a + first + j * A_.lda, A_.a + end + j * A_.lda, core.data() + first + j * k_);
    }
  }

  void extendLeft(const std::vector<T> &tau, const Array<T> &U, long columns) {
    for (long j = 0; j < columns; ++j) {
      std::fill(U.data + (j < k_ ? k_ : 0) + j * U.ld, U.data + A_.m + j * U.ld, T(0));
      if (j >= k_)
        U.data[j + j * U.ld] = 1;
    }
    tiles_.run(algorithm::ormqr<T>(), {reflectors(), factors(tau), tiles_.general(U.data, A_.m, columns, U.ld)},
               {asScalar(Side::Left), asScalar(Op::NoTrans)});
  }

  void extendRight(const std::vector<T> &tau, const Array<T> &VH, long rows) {
    for (long j = 0; j < A_.n; ++j) {
      std::fill(VH.data + (j < k_ ? k_ : 0) + j * VH.ld, VH.data + rows + j * VH.ld, T(0));
      if (j >= k_ && j < rows)
        VH.data[j + j * VH.ld] = 1;
    }
    tiles_.run(algorithm::ormlq<T>(), {reflectors(), factors(tau), tiles_.general(VH.data, rows, A_.n, VH.ld)},
               {asScalar(Side::Right), asScalar(Op::NoTrans)});
  }

  void copyToA(const Array<T> &from, long rows, long columns) {
    for (long j = 0; j < columns; ++j)
      std::copy_n(from.data + j * from.ld, rows, A_.a + j * A_.lda);
  }

  Tiles &tiles_;
  const SvdMatrix<T> A_;
  const long k_;
  RealType<T> *const s_;
  const Wanted left_, right_;
  const bool isTall_, isWide_;
};

} // namespace

template <typename T>
int singularVectors(Tiles &tiles, const SvdMatrix<T> &A, RealType<T> *s, const VectorsOfSide<T> &left,
                    const VectorsOfSide<T> &right) {
  const double k = A.least(), larger = std::max(A.m, A.n);
  if ((squareWork * k * k + copiesOfA * larger * k) * sizeof(T) > host::availableBytes())
    throw NotStarted("too little memory");
  return SvdCall<T>(tiles, A, s, left, right).compute();
}

#define HETC_SVD(T)                                                                                                    \
  template int singularVectors(Tiles &, const SvdMatrix<T> &, RealType<T> *, const VectorsOfSide<T> &,                 \
                               const VectorsOfSide<T> &);
HETC_SVD(float)
HETC_SVD(double)
HETC_SVD(std::complex<float>)
HETC_SVD(std::complex<double>)
#undef HETC_SVD

} // namespace tla::lapack
