// Singular values, alone or with vectors: gesdd and gesvd.
#include "lapack/eigen_solver.hpp"
#include "lapack/export.hpp"
#include "lapack/svd/bidiagonalization.hpp"
#include "lapack/svd/vectors.hpp"
#include "lapack/svd/work.hpp"

#include <limits>

namespace tla::lapack {
namespace {

/// The singular values of A, in decreasing order, by LAPACK's bdsqr of the library behind the caller; e has the
/// superdiagonal that was left where it returns info > 0.
template <typename T, Names names, typename Int>
int singularValues(Tiles &tiles, Caller caller, T *a, long m, long n, long lda, RealType<T> *s,
                   std::vector<RealType<T>> &e) {
  using Real = RealType<T>;
  static const Next<const char *, const Int *, const Int *, const Int *, const Int *, Real *, Real *, Real *,
                    const Int *, Real *, const Int *, Real *, const Int *, Real *, Int *>
      all(names, nameOf<Real>("bdsqr"));
  const auto bdsqr = all.of(caller);
  if (!bdsqr.origin().library)
    throw NotStarted("the library has no bdsqr");
  const long k = std::min(m, n);
  std::vector<Real> work(4 * k);
  std::vector<T> transpose(m < n ? m * n : 0); // of a wide matrix: its singular values are the same
  for (long j = 0; m < n && j < m; ++j)
    for (long i = 0; i < n; ++i)
      transpose[i + j * n] = a[j + i * lda];
  Bidiagonalization<T> bidiagonal(tiles, m < n ? transpose.data() : a, std::max(m, n), k, m < n ? n : lda, false);
  e.resize(k);
  bidiagonal.reduce(nullptr, 0, 1);
  std::copy_n(bidiagonal.diagonal().data(), k, s);
  std::copy_n(bidiagonal.superdiagonal().data(), k - 1, e.data());
  const Int order = static_cast<Int>(k), none = 0, one = 1;
  Real nothing = 0;
  Int info = 0;
  bdsqr("U", &order, &none, &none, &none, s, e.data(), &nothing, &one, &nothing, &one, &nothing, &one, work.data(),
        &info);
  return static_cast<int>(info);
}

/// One call of gesdd or gesvd.
struct SvdCaller {
  const char *routine;
  Origin origin;
  bool isLegal; ///< jobs and leading dimensions; else LAPACK's own routine says which is not
  bool query;
  bool isEnough; ///< the workspace
};

/// The common part of gesdd and gesvd. `answer()` sets WORK(1), `left` takes the superdiagonal of what did not
/// converge.
template <typename T, Names names, typename Int, typename Answer, typename Left>
void performSvd(const SvdCaller &call, const SvdMatrix<T> &A, RealType<T> *s, const VectorsOfSide<T> &left,
                const VectorsOfSide<T> &right, FunctionRef<void()> passOn, Answer answer, Left leave, Int *info) {
  using Count = typename VectorsOfSide<T>::Count;
  const bool vectors = left.count != Count::None || right.count != Count::None;
  const long k = A.least(), larger = std::max(A.m, A.n);
  perform({.routine = nameOf<T>(call.routine),
           .sizes = {{"m", A.m}, {"n", A.n}},
           .leading = {A.lda},
           .least = k,
           .tiledFrom = vectors ? leastForVectors(larger, k) : singularValuesTiledFrom,
           .requirements = {}, // which depend on what is wanted: LAPACK's own routine looks at them
           .origin = call.origin,
           .work = {algorithm::ge2gb<T>(), {.m = larger, .n = k}},
           .largestTile = vectors ? eigenTile(k) : bandwidth,
           .partsOnTiles = true,
           .passOn = passOn,
           .onTiles = [&](Tiles &tiles) -> int {
             if (!call.isLegal || !call.isEnough)
               throw NotStarted("illegal arguments or little workspace");
             if (vectors ? isScaledBySvd(A.a, A.m, A.n, A.lda) : isUnusual(A.a, A.m, A.n, A.lda))
               throw LeftToLapack("to be scaled");
             if (vectors) {
               const int failed = singularVectors(tiles, A, s, left, right);
               answer();
               return failed;
             }
             std::vector<RealType<T>> e;
             const int failed = singularValues<T, names, Int>(tiles, call.origin.caller, A.a, A.m, A.n, A.lda, s, e);
             answer();
             if (failed)
               leave(e.data(), k - 1);
             return failed;
           },
           .query = call.query},
          info);
}

/// LAPACK's gesvd of the library behind the caller.
template <typename T, Names names> class ByQrIteration {
public:
  using Real = RealType<T>;
  using Int = IntegerOf<names>;
  explicit ByQrIteration(Caller caller) : next_(all().of(caller)) {}

  Origin origin() const { return next_.origin(); }
  void operator()(const char *jobu, const char *jobvt, const Int *m, const Int *n, T *a, const Int *lda, Real *s, T *u,
                  const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork, Real *rwork, Int *info) const {
    if constexpr (isComplex<T>)
      next_(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info);
    else
      next_(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, info);
  }

private:
  using All = std::conditional_t<isComplex<T>,
                                 Next<const char *, const char *, const Int *, const Int *, T *, const Int *, Real *,
                                      T *, const Int *, T *, const Int *, T *, const Int *, Real *, Int *>,
                                 Next<const char *, const char *, const Int *, const Int *, T *, const Int *, Real *,
                                      T *, const Int *, T *, const Int *, T *, const Int *, Int *>>;
  static const All &all() {
    static const All all(names, nameOf<T>("gesvd"));
    return all;
  }
  decltype(all().of(nullptr)) next_;
};

/// True where nothing can be said of INTEGER arguments: they have 64 bits under the names of those that have 32.
inline bool hasUnknownIntegers(const Origin &origin) {
  return origin.library && origin.library->plainNamesAreIlp64 && origin.names == Names::Plain;
}

/// A leading dimension that takes so many rows, where there are vectors.
template <typename T> bool takes(const VectorsOfSide<T> &side, long rows) {
  return side.count == VectorsOfSide<T>::Count::None || side.ld >= std::max(1L, rows);
}

/// The rows of VT.
template <typename T> long rowsOf(const VectorsOfSide<T> &right, const SvdMatrix<T> &A) {
  return right.count == VectorsOfSide<T>::Count::All ? A.n : A.least();
}

/// A = U S V^H by divide and conquer. Where INTEGER has no room for the workspace that LAPACK asks for, queries are
/// answered here, and what cannot be computed on tiles is computed by the QR iteration, in a workspace of its own.
template <typename T, Names names, typename Int>
void gesdd(Caller caller, const char *jobz, const Int *m, const Int *n, T *a, const Int *lda, RealType<T> *s, T *u,
           const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork, RealType<T> *rwork, Int *iwork,
           Int *info) {
  using Real = RealType<T>;
  using All = std::conditional_t<isComplex<T>,
                                 Next<const char *, const Int *, const Int *, T *, const Int *, Real *, T *,
                                      const Int *, T *, const Int *, T *, const Int *, Real *, Int *, Int *>,
                                 Next<const char *, const Int *, const Int *, T *, const Int *, Real *, T *,
                                      const Int *, T *, const Int *, T *, const Int *, Int *, Int *>>;
  static const All all(names, nameOf<T>("gesdd"));
  const auto next = all.of(caller);
  const SvdMatrix<T> A{a, *m, *n, *lda};
  const bool overwrites = is(jobz, 'O'), leftInPlace = overwrites && A.m >= A.n;
  const bool isJob = overwrites || is(jobz, 'N') || is(jobz, 'S') || is(jobz, 'A');
  const VectorsOfSide<T> left = vectorsOf(overwrites && !leftInPlace ? "S" : jobz, u, *ldu, a, *lda),
                         right = vectorsOf(leftInPlace ? "S" : jobz, vt, *ldvt, a, *lda);
  const SvdSizes sizes{std::max(A.m, A.n), A.least(), !is(jobz, 'N'), overwrites};
  const bool fits = hasUnknownIntegers(next.origin()) || mostWork<T>(sizes) <= std::numeric_limits<Int>::max();
  const bool query = *lwork == workspaceQuery<Int>;
  const bool isLegal = isJob && A.m >= 0 && A.n >= 0 && A.lda >= std::max(1L, A.m) && takes(left, A.m) &&
                       takes(right, rowsOf(right, A)) && *ldu >= 1 && *ldvt >= 1;
  const auto forward = [&](const Int *size) {
    if constexpr (isComplex<T>)
      next(jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, rwork, iwork, info);
    else
      next(jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, iwork, info);
  };
  const auto answer = [&] {
    if (fits) {
      forward(&workspaceQuery<Int>);
      if (*info == 0)
        roundUpWork(work);
    } else {
      answerWork(leastWorkOfGesvd<T>(sizes) + 64.0 * (sizes.larger + sizes.k), work);
      *info = 0;
    }
  };
  const auto byQrIteration = [&] {
    if (hasNan(a, *m, *n, *lda)) { // as gesdd has it
      *info = -4;
      return;
    }
    const Int size =
        static_cast<Int>(std::min(40.0 * (sizes.larger + sizes.k), double(std::numeric_limits<Int>::max())));
    std::vector<T> ownWork(size);
    std::vector<Real> ownReal(isComplex<T> ? 5 * sizes.k : 0);
    const ByQrIteration<T, names> gesvd(caller);
    gesvd(leftInPlace  ? "O"
          : overwrites ? "S"
                       : jobz,
          leftInPlace ? "S" : jobz, m, n, a, lda, s, u, ldu, vt, ldvt, ownWork.data(), &size, ownReal.data(), info);
  };
  const auto passOn = [&] {
    if (query && isLegal)
      answer();
    else if (fits || !isLegal)
      forward(lwork);
    else
      byQrIteration();
  };
  performSvd<T, names, Int>(
      {"gesdd", next.origin(), isLegal, query, !fits || *lwork >= leastWorkOfGesdd<T>(sizes)}, A, s, left, right,
      passOn, answer, [](const Real *, long) {}, info);
}

/// A = U S V^H by the QR iteration, which leaves what did not converge in RWORK, or behind WORK(1).
template <typename T, Names names, typename Int>
void gesvd(Caller caller, const char *jobu, const char *jobvt, const Int *m, const Int *n, T *a, const Int *lda,
           RealType<T> *s, T *u, const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork, RealType<T> *rwork,
           Int *info) {
  const ByQrIteration<T, names> next(caller);
  const auto forward = [&](const Int *size) {
    next(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, rwork, info);
  };
  const auto leave = [&](const RealType<T> *e, long count) {
    if constexpr (isComplex<T>)
      std::copy_n(e, count, rwork);
    else
      std::copy_n(e, count, work + 1);
  };
  const SvdMatrix<T> A{a, *m, *n, *lda};
  const VectorsOfSide<T> left = vectorsOf(jobu, u, *ldu, a, *lda), right = vectorsOf(jobvt, vt, *ldvt, a, *lda);
  const auto isJob = [](const char *job) { return is(job, 'A') || is(job, 'S') || is(job, 'O') || is(job, 'N'); };
  const bool overwrites = is(jobu, 'O') || is(jobvt, 'O'), vectors = !is(jobu, 'N') || !is(jobvt, 'N');
  const SvdSizes sizes{std::max(A.m, A.n), A.least(), vectors, overwrites};
  const bool fits = hasUnknownIntegers(next.origin()) || mostWork<T>(sizes) <= std::numeric_limits<Int>::max();
  const bool query = *lwork == workspaceQuery<Int>;
  const bool isLegal = isJob(jobu) && isJob(jobvt) && !(is(jobu, 'O') && is(jobvt, 'O')) && A.m >= 0 && A.n >= 0 &&
                       A.lda >= std::max(1L, A.m) && takes(left, A.m) && takes(right, rowsOf(right, A)) && *ldu >= 1 &&
                       *ldvt >= 1;
  const auto answer = [&] {
    if (fits) {
      forward(&workspaceQuery<Int>);
      if (*info == 0)
        roundUpWork(work);
    } else {
      answerWork(leastWorkOfGesvd<T>({sizes.larger, sizes.k, false, false}) + 64.0 * (sizes.larger + sizes.k), work);
      *info = 0;
    }
  };
  const auto passOn = [&] {
    if (query && isLegal)
      answer();
    else
      forward(lwork);
  };
  performSvd<T, names, Int>({"gesvd", next.origin(), isLegal, query, *lwork >= leastWorkOfGesvd<T>(sizes)}, A, s, left,
                            right, passOn, answer, leave, info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT_REAL(gesdd, gesdd,
                 (const char *jobz, const Int *m, const Int *n, T *a, const Int *lda, T *s, T *u, const Int *ldu, T *vt,
                  const Int *ldvt, T *work, const Int *lwork, Int *iwork, Int *info),
                 (jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, nullptr, iwork, info))
HETC_EXPORT_COMPLEX(gesdd, gesdd,
                    (const char *jobz, const Int *m, const Int *n, T *a, const Int *lda, RealType<T> *s, T *u,
                     const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork, RealType<T> *rwork, Int *iwork,
                     Int *info),
                    (jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, iwork, info))
HETC_EXPORT_REAL(gesvd, gesvd,
                 (const char *jobu, const char *jobvt, const Int *m, const Int *n, T *a, const Int *lda, T *s, T *u,
                  const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork, Int *info),
                 (jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, nullptr, info))
HETC_EXPORT_COMPLEX(gesvd, gesvd,
                    (const char *jobu, const char *jobvt, const Int *m, const Int *n, T *a, const Int *lda,
                     RealType<T> *s, T *u, const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork,
                     RealType<T> *rwork, Int *info),
                    (jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork, info))
