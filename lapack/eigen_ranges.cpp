// A part of the eigenvalues of a Hermitian matrix, by numbers or by an interval, with or without eigenvectors: syevr
// and heevr, syevx and heevx.
#include "lapack/eigen_call.hpp"
#include "lapack/export.hpp"

#include <optional>
#include <vector>

namespace tla::lapack {
namespace {

/// RANGE, VL, VU, IL and IU.
template <typename Real> struct Wanted {
  const char *range;
  Real vl, vu;
  long il, iu;

  bool isLegal(long n) const {
    if (is(range, 'V'))
      return vu > vl;
    if (is(range, 'I'))
      return il >= 1 && il <= std::max(1L, n) && iu >= std::min(n, il) && iu <= n;
    return is(range, 'A');
  }
  bool isInterval() const { return is(range, 'V'); }
  /// Whether all eigenpairs are asked for, not as an interval: only then LAPACK has an ISUPPZ, and SciPy memory for it.
  bool isAll(long n) const { return is(range, 'A') || (is(range, 'I') && il == 1 && iu == n); }
  /// The numbers of the eigenvalues, for all but an interval.
  EigenRange numbers(long n) const { return is(range, 'I') ? EigenRange{il, iu} : EigenRange{1, n}; }
};

/// The numbers of those of n ascending eigenvalues that are above vl and not above vu.
template <typename Real> EigenRange numbersWithin(const std::vector<Real> &w, Real vl, Real vu) {
  return {std::upper_bound(w.begin(), w.end(), vl) - w.begin() + 1,
          std::upper_bound(w.begin(), w.end(), vu) - w.begin()};
}

/// The bounds that `range` speaks of are read, the others are not: a caller may give null for them.
template <typename Real, typename Int>
Wanted<Real> readWanted(const char *range, const Real *vl, const Real *vu, const Int *il, const Int *iu) {
  const bool isInterval = is(range, 'V'), isByNumber = is(range, 'I');
  return {range, isInterval ? *vl : 0, isInterval ? *vu : 0, isByNumber ? *il : 0, isByNumber ? *iu : 0};
}

/// Where results go: M, W and Z.
template <typename T> struct EigenResult {
  long m = 0;
  RealType<T> *w;
  T *z;
  long ldz;
};

/// The eigenvalues within an interval. With vectors all eigenvalues are computed first, of a copy of A, and then the
/// eigenpairs of which there is need.
template <typename T>
int computeInterval(Tiles &tiles, bool vectors, const HermitianArray<T> &A, const Wanted<RealType<T>> &wanted,
                    EigenResult<T> &result) {
  std::vector<RealType<T>> all(A.n);
  std::optional<SquareBuffer<T>> copy;
  HermitianArray<T> first = A;
  if (vectors) {
    requireEigenMemory<T>(A.n, true, true);
    copy.emplace(A.n);
    copyLower(A, copy->data());
    first = {Uplo::Lower, copy->data(), A.n, A.n};
  }
  if (const int failed = eigenvalues(tiles, first, {1, A.n}, all.data()))
    return failed;
  const EigenRange range = numbersWithin(all, wanted.vl, wanted.vu);
  result.m = range.count();
  if (result.m == 0)
    return 0;
  if (vectors)
    return eigenvectors(tiles, A, range, result.w, result.z, result.ldz);
  std::copy_n(all.begin() + (range.first - 1), result.m, result.w);
  return 0;
}

template <typename T>
int computeWanted(Tiles &tiles, bool vectors, const HermitianArray<T> &A, const Wanted<RealType<T>> &wanted,
                  EigenResult<T> &result) {
  if (!isFinite(A))
    throw LeftToLapack("NaN or infinity");
  if (wanted.isInterval())
    return computeInterval(tiles, vectors, A, wanted, result);
  const EigenRange range = wanted.numbers(A.n);
  result.m = range.count();
  return vectors ? eigenvectors(tiles, A, range, result.w, result.z, result.ldz)
                 : eigenvalues(tiles, A, range, result.w);
}

template <typename T, typename Int>
bool isLegalArray(const char *jobz, const char *uplo, Int n, Int lda, Int ldz, const Wanted<RealType<T>> &wanted) {
  return isJobz(jobz) && isUplo(uplo) && lda >= atLeastOne(n) && ldz >= (isVectors(jobz) ? atLeastOne(n) : 1) &&
         wanted.isLegal(n);
}

template <typename T, Names names, typename Int>
void heevr(Caller caller, const char *jobz, const char *range, const char *uplo, const Int *n, T *a, const Int *lda,
           const RealType<T> *vl, const RealType<T> *vu, const Int *il, const Int *iu, const RealType<T> *abstol,
           Int *m, RealType<T> *w, T *z, const Int *ldz, Int *isuppz, T *work, const Int *lwork, RealType<T> *rwork,
           const Int *lrwork, Int *iwork, const Int *liwork, Int *info) {
  using Real = RealType<T>;
  using All =
      std::conditional_t<isComplex<T>,
                         Next<const char *, const char *, const char *, const Int *, T *, const Int *, const Real *,
                              const Real *, const Int *, const Int *, const Real *, Int *, Real *, T *, const Int *,
                              Int *, T *, const Int *, Real *, const Int *, Int *, const Int *, Int *>,
                         Next<const char *, const char *, const char *, const Int *, T *, const Int *, const Real *,
                              const Real *, const Int *, const Int *, const Real *, Int *, Real *, T *, const Int *,
                              Int *, T *, const Int *, Int *, const Int *, Int *>>;
  static const All all(names, hermitian<T>("evr"));
  const auto next = all.of(caller);
  const Wanted<Real> wanted = readWanted(range, vl, vu, il, iu);
  const bool query = *lwork == workspaceQuery<Int> || *liwork == workspaceQuery<Int> ||
                     (isComplex<T> && *lrwork == workspaceQuery<Int>);
  const long order = *n;
  const bool isEnough =
      *lwork >= (isComplex<T> ? 2 : 26) * order && *liwork >= 10 * order && (!isComplex<T> || *lrwork >= 24 * order);
  const auto forward = [&](const Int *size, Int *found) {
    if constexpr (isComplex<T>)
      next(jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, found, w, z, ldz, isuppz, work, size, rwork, lrwork,
           iwork, liwork, info);
    else
      next(jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, found, w, z, ldz, isuppz, work, size, iwork, liwork,
           info);
  };
  performEigen<T>(
      {hermitian<T>("evr"), next.origin(), isVectors(jobz),
       isEnough && isLegalArray<T>(jobz, uplo, *n, *lda, *ldz, wanted), *n, *lda, query},
      [&] { forward(lwork, m); },
      [&](Tiles &tiles) {
        EigenResult<T> result{0, w, z, *ldz};
        const int failed = computeWanted<T>(tiles, isVectors(jobz), {uploOf(uplo), a, *n, *lda}, wanted, result);
        *m = static_cast<Int>(result.m);
        for (long i = 0; isVectors(jobz) && wanted.isAll(order) && i < order; ++i)
          isuppz[2 * i] = 1, isuppz[2 * i + 1] = *n;
        Int unused = 0;
        forward(&workspaceQuery<Int>, &unused); // WORK(1) as LAPACK leaves it
        return failed;
      },
      info);
}

template <typename T, Names names, typename Int>
void heevx(Caller caller, const char *jobz, const char *range, const char *uplo, const Int *n, T *a, const Int *lda,
           const RealType<T> *vl, const RealType<T> *vu, const Int *il, const Int *iu, const RealType<T> *abstol,
           Int *m, RealType<T> *w, T *z, const Int *ldz, T *work, const Int *lwork, RealType<T> *rwork, Int *iwork,
           Int *ifail, Int *info) {
  using Real = RealType<T>;
  using All = std::conditional_t<isComplex<T>,
                                 Next<const char *, const char *, const char *, const Int *, T *, const Int *,
                                      const Real *, const Real *, const Int *, const Int *, const Real *, Int *, Real *,
                                      T *, const Int *, T *, const Int *, Real *, Int *, Int *, Int *>,
                                 Next<const char *, const char *, const char *, const Int *, T *, const Int *,
                                      const Real *, const Real *, const Int *, const Int *, const Real *, Int *, Real *,
                                      T *, const Int *, T *, const Int *, Int *, Int *, Int *>>;
  static const All all(names, hermitian<T>("evx"));
  const auto next = all.of(caller);
  const Wanted<Real> wanted = readWanted(range, vl, vu, il, iu);
  const bool isEnough = *lwork >= (isComplex<T> ? 2 : 8) * static_cast<long>(*n);
  const auto forward = [&](const Int *size, Int *found) {
    if constexpr (isComplex<T>)
      next(jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, found, w, z, ldz, work, size, rwork, iwork, ifail,
           info);
    else
      next(jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, found, w, z, ldz, work, size, iwork, ifail, info);
  };
  performEigen<T>(
      {hermitian<T>("evx"), next.origin(), isVectors(jobz),
       isEnough && isLegalArray<T>(jobz, uplo, *n, *lda, *ldz, wanted), *n, *lda, *lwork == workspaceQuery<Int>},
      [&] { forward(lwork, m); },
      [&](Tiles &tiles) {
        EigenResult<T> result{0, w, z, *ldz};
        const int failed = computeWanted<T>(tiles, isVectors(jobz), {uploOf(uplo), a, *n, *lda}, wanted, result);
        *m = static_cast<Int>(result.m);
        if (isVectors(jobz)) // all converged
          std::fill_n(ifail, result.m, Int(0));
        Int unused = 0;
        forward(&workspaceQuery<Int>, &unused); // WORK(1) as LAPACK leaves it
        return failed;
      },
      info);
}

} // namespace
} // namespace tla::lapack

#define EVR_FIRST(Real)                                                                                                \
  const char *jobz, const char *range, const char *uplo, const Int *n, T *a, const Int *lda, const Real *vl,           \
      const Real *vu, const Int *il, const Int *iu, const Real *abstol, Int *m, Real *w, T *z, const Int *ldz
HETC_EXPORT_REAL(syevr, heevr,
                 (EVR_FIRST(T), Int *isuppz, T *work, const Int *lwork, Int *iwork, const Int *liwork, Int *info),
                 (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz, isuppz, work, lwork, nullptr,
                  nullptr, iwork, liwork, info))
HETC_EXPORT_COMPLEX(heevr, heevr,
                    (EVR_FIRST(RealType<T>), Int *isuppz, T *work, const Int *lwork, RealType<T> *rwork,
                     const Int *lrwork, Int *iwork, const Int *liwork, Int *info),
                    (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz, isuppz, work, lwork, rwork,
                     lrwork, iwork, liwork, info))
HETC_EXPORT_REAL(syevx, heevx, (EVR_FIRST(T), T *work, const Int *lwork, Int *iwork, Int *ifail, Int *info),
                 (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz, work, lwork, nullptr, iwork,
                  ifail, info))
HETC_EXPORT_COMPLEX(heevx, heevx,
                    (EVR_FIRST(RealType<T>), T *work, const Int *lwork, RealType<T> *rwork, Int *iwork, Int *ifail,
                     Int *info),
                    (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz, work, lwork, rwork, iwork,
                     ifail, info))
#undef EVR_FIRST
