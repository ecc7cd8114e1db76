#include "lapack/eigen_solver.hpp"

#include "dsl/base/text.hpp"
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/magnitude.hpp"

#include <tla/runtime/memory.hpp>

#include <optional>

namespace tla::lapack {
namespace {

constexpr long copiedBlock = 32; // of a matrix and its transpose, so that both stay in the first cache

template <typename T> T conjugate(T x) {
  if constexpr (isComplex<T>)
    return std::conj(x);
  else
    return x;
}

/// target(j, i) = conj(source(i, j)) for all i <= j (`upper`) or i >= j, columns so far apart in each.
template <typename T> void transposeTriangle(const T *source, long from, T *target, long to, long n, bool upper) {
  for (long j0 = 0; j0 < n; j0 += copiedBlock)
    for (long i0 = upper ? 0 : j0; i0 < (upper ? j0 + 1 : n); i0 += copiedBlock)
      for (long j = j0; j < std::min(j0 + copiedBlock, n); ++j) {
        const long begin = upper ? i0 : std::max(i0, j), end = std::min(i0 + copiedBlock, upper ? j + 1 : n);
        for (long i = begin; i < end; ++i)
          target[j + i * to] = conjugate(source[i + j * from]);
      }
}

template <typename T> void makeDiagonalReal(T *a, long n, long lda) {
  if constexpr (isComplex<T>)
    for (long j = 0; j < n; ++j)
      a[j + j * lda] = std::real(a[j + j * lda]);
}

/// A as a matrix of which the lower triangle may be overwritten: the caller's array, or a copy where that one has the
/// other triangle or is wanted for something else.
template <typename T> class LowerTriangle {
public:
  LowerTriangle(const HermitianArray<T> &A, bool isKept) : n_(A.n), a_(A.a), lda_(A.lda) {
    if (isKept || A.uplo == Uplo::Upper) {
      copy_.emplace(A.n);
      copyLower(A, copy_->data());
      a_ = copy_->data();
      lda_ = A.n;
    } else {
      makeDiagonalReal(a_, n_, lda_);
    }
  }
  StorageRef storage(const Tiles &tiles) const { return tiles.triangle(Uplo::Lower, a_, n_, lda_); }

private:
  long n_;
  T *a_;
  long lda_;
  std::optional<SquareBuffer<T>> copy_;
};

/// Elements of workspace in n^2 that heev and heev_values take at most, measured (docs/lapack.md).
constexpr double vectorsWork = 6, valuesWork = 1;

} // namespace

template <typename T> void copyLower(const HermitianArray<T> &A, T *lower) {
  if (A.uplo == Uplo::Upper)
    transposeTriangle(A.a, A.lda, lower, A.n, A.n, true);
  else
    for (long j = 0; j < A.n; ++j)
      std::copy(A.a + j + j * A.lda, A.a + A.n + j * A.lda, lower + j + j * A.n);
  makeDiagonalReal(lower, A.n, A.n);
}

template <typename T> void copyFromLower(const T *lower, const HermitianArray<T> &A) {
  if (A.uplo == Uplo::Upper)
    transposeTriangle(lower, A.n, A.a, A.lda, A.n, false);
  else
    for (long j = 0; j < A.n; ++j)
      std::copy(lower + j + j * A.n, lower + A.n + j * A.n, A.a + j + j * A.lda);
}

template <typename T> bool isFinite(const HermitianArray<T> &A) {
  for (long j = 0; j < A.n; ++j) {
    const bool upper = A.uplo == Uplo::Upper;
    if (hasNan(A.a + (upper ? 0 : j) + j * A.lda, upper ? j + 1 : A.n - j, 1, A.lda))
      return false;
  }
  return true;
}

int eigenTile(long n) { return n < 3000 ? 64 : 96; }

template <typename T> void requireEigenMemory(long n, bool vectors, bool copies) {
  const double needed = ((vectors ? vectorsWork : valuesWork) + (copies ? 1 : 0)) * double(n) * double(n) * sizeof(T);
  const double available = host::availableBytes();
  if (needed > available)
    throw NotStarted(format("needs %.1f GiB, %.1f GiB available", needed / 0x1p30, available / 0x1p30));
}

template <typename T>
int eigenvalues(Tiles &tiles, const HermitianArray<T> &A, const EigenRange &range, RealType<T> *w) {
  requireEigenMemory<T>(A.n, false, A.uplo == Uplo::Upper);
  const LowerTriangle<T> lower(A, false);
  return tiles.run(algorithm::heev_values<T>(),
                   {lower.storage(tiles), tiles.general(w, range.count(), 1, range.count())},
                   {asScalar(range.first), asScalar(range.last)});
}

template <typename T>
int eigenvectors(Tiles &tiles, const HermitianArray<T> &A, const EigenRange &range, RealType<T> *w, T *z, long ldz) {
  const bool isKept = z == A.a;
  requireEigenMemory<T>(A.n, true, isKept || A.uplo == Uplo::Upper);
  const LowerTriangle<T> lower(A, isKept);
  return tiles.run(algorithm::heev<T>(),
                   {lower.storage(tiles), tiles.general(w, range.count(), 1, range.count()),
                    tiles.general(z, A.n, range.count(), ldz)},
                   {asScalar(range.first), asScalar(range.last)});
}

#define HETC_EIGEN(T)                                                                                                  \
  template void copyLower(const HermitianArray<T> &, T *);                                                             \
  template void copyFromLower(const T *, const HermitianArray<T> &);                                                   \
  template bool isFinite(const HermitianArray<T> &);                                                                   \
  template void requireEigenMemory<T>(long, bool, bool);                                                               \
  template int eigenvalues(Tiles &, const HermitianArray<T> &, const EigenRange &, RealType<T> *);                     \
  template int eigenvectors(Tiles &, const HermitianArray<T> &, const EigenRange &, RealType<T> *, T *, long);
HETC_EIGEN(float)
HETC_EIGEN(double)
HETC_EIGEN(std::complex<float>)
HETC_EIGEN(std::complex<double>)
#undef HETC_EIGEN

} // namespace tla::lapack
