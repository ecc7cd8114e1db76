// All eigenvalues of a Hermitian matrix, and all eigenvectors in its place: syev and heev, syevd and heevd.
#include "lapack/eigen_call.hpp"
#include "lapack/export.hpp"

#include <limits>

namespace tla::lapack {
namespace {

/// Computes the eigenvalues on tiles, and the eigenvectors, to A's place, where they are wanted.
template <typename T> int allEigenvalues(Tiles &tiles, bool vectors, const HermitianArray<T> &A, RealType<T> *w) {
  if (!isFinite(A))
    throw LeftToLapack("NaN or infinity");
  const EigenRange all{1, A.n};
  return vectors ? eigenvectors(tiles, A, all, w, A.a, A.lda) : eigenvalues(tiles, A, all, w);
}

/// By the QR iteration, as LAPACK calls it.
template <typename T, Names names> class ByQr {
public:
  using Real = RealType<T>;
  using Int = IntegerOf<names>;
  explicit ByQr(Caller caller) : next_(all().of(caller)) {}

  Origin origin() const { return next_.origin(); }
  void operator()(const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, Real *w, T *work,
                  const Int *lwork, Real *rwork, Int *info) const {
    if constexpr (isComplex<T>)
      next_(jobz, uplo, n, a, lda, w, work, lwork, rwork, info);
    else
      next_(jobz, uplo, n, a, lda, w, work, lwork, info);
  }

private:
  using All = std::conditional_t<
      isComplex<T>,
      Next<const char *, const char *, const Int *, T *, const Int *, Real *, T *, const Int *, Real *, Int *>,
      Next<const char *, const char *, const Int *, T *, const Int *, Real *, T *, const Int *, Int *>>;
  static const All &all() {
    static const All all(names, hermitian<T>("ev"));
    return all;
  }
  decltype(all().of(nullptr)) next_;
};

template <typename T, Names names, typename Int>
void heev(Caller caller, const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, RealType<T> *w,
          T *work, const Int *lwork, RealType<T> *rwork, Int *info) {
  const ByQr<T, names> next(caller);
  const bool isLegal = isJobz(jobz) && isUplo(uplo) && *lda >= atLeastOne(*n) &&
                       *lwork >= (isComplex<T> ? 2 : 3) * static_cast<long>(*n) - 1;
  const auto forward = [&](const Int *size) { next(jobz, uplo, n, a, lda, w, work, size, rwork, info); };
  performEigen<T>(
      {hermitian<T>("ev"), next.origin(), isVectors(jobz), isLegal, *n, *lda, *lwork == workspaceQuery<Int>},
      [&] { forward(lwork); },
      [&](Tiles &tiles) {
        const int failed = allEigenvalues<T>(tiles, isVectors(jobz), {uploOf(uplo), a, *n, *lda}, w);
        forward(&workspaceQuery<Int>); // WORK(1) as LAPACK leaves it
        return failed;
      },
      info);
}

/// The workspaces of evd, in elements: those that LAPACK asks for or, where INTEGER has no room for their size, those
/// that it asks for without vectors, which are enough for tiles.
template <typename T> struct EvdWork {
  EvdWork(long n, bool vectors, long largest) {
    const long least = isComplex<T> ? n + 1 : 2 * n + 1, real = isComplex<T> ? std::max(1L, n) : 0;
    const long most = !vectors ? least : isComplex<T> ? 2 * n + n * n : 1 + 6 * n + 2 * n * n;
    const long realMost = !isComplex<T> || !vectors ? real : 1 + 5 * n + 2 * n * n;
    fits = most <= largest && realMost <= largest;
    work = n <= 1 ? 1 : fits ? most : least;
    rwork = n <= 1 && isComplex<T> ? 1 : fits ? realMost : real;
    iwork = n <= 1 || !vectors ? 1 : 3 + 5 * n;
  }
  bool fits; ///< whether INTEGER can say what LAPACK asks for
  long work, rwork, iwork;
};

/// Where INTEGER has no room for the workspace that LAPACK asks for, from n = 32767 on, queries are answered here, and
/// what cannot be computed on tiles is computed by the QR iteration, in a workspace of its own.
template <typename T, Names names, typename Int>
void heevd(Caller caller, const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, RealType<T> *w,
           T *work, const Int *lwork, RealType<T> *rwork, const Int *lrwork, Int *iwork, const Int *liwork, Int *info) {
  using Real = RealType<T>;
  using All = std::conditional_t<isComplex<T>,
                                 Next<const char *, const char *, const Int *, T *, const Int *, Real *, T *,
                                      const Int *, Real *, const Int *, Int *, const Int *, Int *>,
                                 Next<const char *, const char *, const Int *, T *, const Int *, Real *, T *,
                                      const Int *, Int *, const Int *, Int *>>;
  static const All all(names, hermitian<T>("evd"));
  const auto next = all.of(caller);
  const bool query = *lwork == workspaceQuery<Int> || *liwork == workspaceQuery<Int> ||
                     (isComplex<T> && *lrwork == workspaceQuery<Int>);
  const EvdWork<T> needs(*n, isVectors(jobz), std::numeric_limits<Int>::max());
  const bool isLegalArray = isJobz(jobz) && isUplo(uplo) && *lda >= atLeastOne(*n);
  const bool isEnough = *lwork >= needs.work && *liwork >= needs.iwork && (!isComplex<T> || *lrwork >= needs.rwork);
  const auto forward = [&](const Int *size) {
    if constexpr (isComplex<T>)
      next(jobz, uplo, n, a, lda, w, work, size, rwork, lrwork, iwork, liwork, info);
    else
      next(jobz, uplo, n, a, lda, w, work, size, iwork, liwork, info);
  };
  const auto answer = [&] {
    if (needs.fits)
      return forward(&workspaceQuery<Int>);
    *work = static_cast<Real>(needs.work);
    *iwork = static_cast<Int>(needs.iwork);
    if constexpr (isComplex<T>)
      *rwork = static_cast<Real>(needs.rwork);
    *info = 0;
  };
  const auto passOn = [&] {
    if (needs.fits || !isLegalArray || !(query || isEnough))
      return forward(lwork);
    if (query)
      return answer();
    const Int size = (isComplex<T> ? 33 : 34) * *n;
    std::vector<T> ownWork(size);
    std::vector<Real> ownReal(isComplex<T> ? 3 * *n : 0);
    const ByQr<T, names> byQr(caller);
    byQr(jobz, uplo, n, a, lda, w, ownWork.data(), &size, ownReal.data(), info);
  };
  performEigen<T>(
      {hermitian<T>("evd"), next.origin(), isVectors(jobz), isLegalArray && isEnough, *n, *lda, query}, passOn,
      [&](Tiles &tiles) {
        const int failed = allEigenvalues<T>(tiles, isVectors(jobz), {uploOf(uplo), a, *n, *lda}, w);
        answer();
        return failed;
      },
      info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT_REAL(syev, heev,
                 (const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, T *w, T *work,
                  const Int *lwork, Int *info),
                 (jobz, uplo, n, a, lda, w, work, lwork, nullptr, info))
HETC_EXPORT_COMPLEX(heev, heev,
                    (const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, RealType<T> *w, T *work,
                     const Int *lwork, RealType<T> *rwork, Int *info),
                    (jobz, uplo, n, a, lda, w, work, lwork, rwork, info))
HETC_EXPORT_REAL(syevd, heevd,
                 (const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, T *w, T *work,
                  const Int *lwork, Int *iwork, const Int *liwork, Int *info),
                 (jobz, uplo, n, a, lda, w, work, lwork, nullptr, nullptr, iwork, liwork, info))
HETC_EXPORT_COMPLEX(heevd, heevd,
                    (const char *jobz, const char *uplo, const Int *n, T *a, const Int *lda, RealType<T> *w, T *work,
                     const Int *lwork, RealType<T> *rwork, const Int *lrwork, Int *iwork, const Int *liwork, Int *info),
                    (jobz, uplo, n, a, lda, w, work, lwork, rwork, lrwork, iwork, liwork, info))
