// What LAPACK computes by singular values: gelsd, gesdd and gesvd, with vectors in double. Without vectors A is reduced
// in two steps, to a band on tiles (algorithms/ge2gb.tla) and from there by chasing bulges, where LAPACK's gebrd spends
// half of its operations in products with a vector, at the speed of the memory.
#include "lapack/algorithms.hpp"
#include "lapack/bulge_chasing.hpp"
#include "lapack/call.hpp"
#include "lapack/eigen_solver.hpp"
#include "lapack/export.hpp"
#include "lapack/magnitude.hpp"
#include "lapack/svd_vectors.hpp"

#include <cmath>
#include <vector>

namespace tla::lapack {
namespace {

constexpr int tiledFrom = 480; // against OpenBLAS 0.3.31: level at 400, 1.5 times as fast at 700
/// The largest bandwidth, which is the order of tiles. The second step takes the longer the larger it is.
constexpr int bandwidth = 64;

/// True for what is left to LAPACK: matrices that gelsd scales, of zeros, and with NaN or infinity in them.
template <typename T> bool isUnusual(const T *a, long m, long n, long lda) {
  return needsScaling(a, m, n, lda) || hasNan(a, m, n, lda);
}

/// A = Q1 B P1^H, B = Q2 D P2^H, of an m x n matrix with m >= n. A tall one becomes its triangular factor first.
template <typename T> class Bidiagonalization {
public:
  using Real = RealType<T>;

  /// Takes the memory.
  Bidiagonalization(Tiles &tiles, T *a, long m, long n, long lda, bool keepsP)
      : tiles_(tiles), a_(a), m_(m), n_(n), lda_(lda), isTall_(3 * m > 5 * n), tauq_(n), taup_(n),
        taur_(isTall_ ? n : 0), r_(isTall_ ? n * n : 0), chasing_(n, tiles.nb(), keepsP) {}

  /// D, and C = Q^H C for the columns of C.
  void reduce(T *C, long columns, long ldc) {
    if (isTall_)
      reduceToTriangle(C, columns, ldc);
    tiles_.run(algorithm::ge2gb<T>(), {square(), vectorOf(tauq_), vectorOf(taup_)});
    if (columns > 0)
      applyQ(square(), tauq_, isTall_ ? n_ : m_, C, columns, ldc);
    chasing_.load(isTall_ ? r_.data() : a_, isTall_ ? n_ : lda_);
    chasing_.reduce(tiles_.threads(), C, columns, ldc);
  }

  void applyP(T *C, long columns, long ldc) {
    chasing_.applyP(tiles_.threads(), C, columns, ldc);
    tiles_.run(algorithm::ge2gb_p<T>(), {square(), vectorOf(taup_), tiles_.general(C, n_, columns, ldc)});
  }

  const std::vector<Real> &diagonal() const { return chasing_.diagonal(); }
  const std::vector<Real> &superdiagonal() const { return chasing_.superdiagonal(); }

private:
  /// The matrix that ge2gb reduces: square unless it is a little taller than wide.
  StorageRef square() const {
    return isTall_ ? tiles_.general(r_.data(), n_, n_, n_) : tiles_.general(a_, m_, n_, lda_);
  }
  StorageRef vectorOf(const std::vector<T> &tau) const { return tiles_.general(tau.data(), n_, 1, n_); }

  void applyQ(const StorageRef &vectors, const std::vector<T> &tau, long rows, T *C, long columns, long ldc) {
    tiles_.run(algorithm::ormqr<T>(), {vectors, vectorOf(tau), tiles_.general(C, rows, columns, ldc)},
               {asScalar(Side::Left), asScalar(Op::ConjTrans)});
  }

  void reduceToTriangle(T *C, long columns, long ldc) {
    const StorageRef A = tiles_.general(a_, m_, n_, lda_);
    tiles_.run(algorithm::geqrf<T>(), {A, vectorOf(taur_)});
    if (columns > 0)
      applyQ(A, taur_, m_, C, columns, ldc);
    for (long j = 0; j < n_; ++j)
      std::copy_n(a_ + j * lda_, j + 1, r_.data() + j * n_);
  }

  Tiles &tiles_;
  T *a_;
  long m_, n_, lda_;
  bool isTall_;
  std::vector<T> tauq_, taup_, taur_;
  std::vector<T> r_; ///< the triangular factor of a tall A
  BulgeChasing<T> chasing_;
};

/// The largest problem that lalsd does not divide, LAPACK's ILAENV(9, ...), and how often it divides one.
constexpr long lalsdLeaf = 25;
long lalsdLevels(long n) { return std::max(0L, static_cast<long>(std::log2(double(n) / (lalsdLeaf + 1))) + 1); }

/// LAPACK's lalsd of the library behind the caller: min |b - D x| for the bidiagonal D, the singular values in its
/// place.
template <typename T, Names names, typename Int> class BidiagonalLeastSquares {
public:
  using Real = RealType<T>;

  /// Takes the memory. Throws NotStarted where that library has no lalsd.
  BidiagonalLeastSquares(Caller caller, long n, long nrhs) : next_(all().of(caller)), n_(n), nrhs_(nrhs) {
    if (!next_.origin().library)
      throw NotStarted("the library has no lalsd");
    const long work = 9 * n + 2 * n * leaf + 8 * n * lalsdLevels(n), leaves = (leaf + 1) * (leaf + 1);
    iwork_.resize(3 * n * lalsdLevels(n) + 11 * n);
    if constexpr (isComplex<T>) {
      work_.resize(n * nrhs);
      rwork_.resize(work + 3 * leaf * nrhs + std::max(leaves, n * (1 + nrhs) + 2 * nrhs));
    } else {
      work_.resize(work + n * nrhs + leaves);
    }
  }

  /// info > 0: a singular value did not converge. e has an element more than it needs.
  Int operator()(Real *d, Real *e, T *b, Int ldb, Real rcond, Int *rank) {
    const Int divided = leaf, n = static_cast<Int>(n_), nrhs = static_cast<Int>(nrhs_);
    Int info = 0;
    if constexpr (isComplex<T>)
      next_("U", &divided, &n, &nrhs, d, e, b, &ldb, &rcond, rank, work_.data(), rwork_.data(), iwork_.data(), &info);
    else
      next_("U", &divided, &n, &nrhs, d, e, b, &ldb, &rcond, rank, work_.data(), iwork_.data(), &info);
    return info;
  }

private:
  static constexpr long leaf = lalsdLeaf;
  using All = std::conditional_t<isComplex<T>,
                                 Next<const char *, const Int *, const Int *, const Int *, Real *, Real *, T *,
                                      const Int *, const Real *, Int *, T *, Real *, Int *, Int *>,
                                 Next<const char *, const Int *, const Int *, const Int *, Real *, Real *, T *,
                                      const Int *, const Real *, Int *, T *, Int *, Int *>>;
  static const All &all() {
    static const All all(names, nameOf<T>("lalsd"));
    return all;
  }

  decltype(all().of(nullptr)) next_;
  long n_, nrhs_;
  std::vector<T> work_;
  std::vector<Real> rwork_;
  std::vector<Int> iwork_;
};

// LWORK with which LAPACK's own routines take a problem of any shape: with less the call is left to them, which may say
// that it is too little.

template <typename T> long leastWorkOfGelsd(long m, long n, long nrhs) {
  const long lalsd = 9 * n + 2 * n * lalsdLeaf + 8 * n * lalsdLevels(n) + n * nrhs + (lalsdLeaf + 1) * (lalsdLeaf + 1);
  return isComplex<T> ? 2 * n + std::max(m, n * nrhs) : 3 * n + std::max({m, nrhs, lalsd});
}
/// The least workspace of gesdd and gesvd without vectors, k the lesser and `larger` the larger dimension.
template <typename T> long leastWorkOfValues(long larger, long k) {
  return isComplex<T> ? 2 * k + larger : 3 * k + std::max(larger, 7 * k);
}

/// Returns that of gesdd with min(m, n) vectors of each side, by where LAPACK takes a QR or LQ factorization first.
inline long leastWorkOfVectors(long larger, long k) {
  return 3 * k + std::max(larger, (6 * larger >= 11 * k ? 4 : 3) * k * k + 4 * k);
}

/// The X of least norm that minimizes |B - A X|, A of any rank.
template <typename T, Names names, typename Int>
void gelsd(Caller caller, const Int *m, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b, const Int *ldb,
           RealType<T> *s, const RealType<T> *rcond, Int *rank, T *work, const Int *lwork, RealType<T> *rwork,
           Int *iwork, Int *info) {
  using Real = RealType<T>;
  using All = std::conditional_t<isComplex<T>,
                                 Next<const Int *, const Int *, const Int *, T *, const Int *, T *, const Int *, Real *,
                                      const Real *, Int *, T *, const Int *, Real *, Int *, Int *>,
                                 Next<const Int *, const Int *, const Int *, T *, const Int *, T *, const Int *, Real *,
                                      const Real *, Int *, T *, const Int *, Int *, Int *>>;
  static const All all(names, nameOf<T>("gelsd"));
  const auto next = all.of(caller);
  const auto forward = [&](const Int *size) {
    if constexpr (isComplex<T>)
      next(m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work, size, rwork, iwork, info);
    else
      next(m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work, size, iwork, info);
  };
  const Int k = std::min(*m, *n);
  const bool query = *lwork == workspaceQuery<Int>;
  perform({.routine = nameOf<T>("gelsd"),
           .sizes = {{"m", *m}, {"n", *n}, {"nrhs", *nrhs}},
           .leading = {*lda, *ldb},
           .least = *nrhs == 0 ? 0 : k,
           .tiledFrom = tiledFrom,
           .requirements = {{1, *m >= 0},
                            {2, *n >= 0},
                            {3, *nrhs >= 0},
                            {5, *lda >= atLeastOne(*m)},
                            {7, *ldb >= atLeastOne(std::max(*m, *n))}},
           .origin = next.origin(),
           .work = {algorithm::ge2gb<T>(), {.m = *m, .n = *n}},
           .largestTile = bandwidth,
           .partsOnTiles = true,
           .passOn = [&] { forward(lwork); },
           .onTiles = [&](Tiles &tiles) -> int {
             if (isUnusual(a, *m, *n, *lda) || isUnusual(b, *m, *nrhs, *ldb))
               throw LeftToLapack("to be scaled");
             if (*m < *n)
               throw NotStarted("m < n");
             if (*nrhs > *n / (isComplex<T> ? 16 : 4)) // the second step applies reflectors one by one
               throw NotStarted("many right-hand sides");
             if (*lwork < leastWorkOfGelsd<T>(*m, *n, *nrhs))
               throw NotStarted("little workspace");
             BidiagonalLeastSquares<T, names, Int> solve(caller, *n, *nrhs);
             Bidiagonalization<T> bidiagonal(tiles, a, *m, *n, *lda, true);
             std::vector<Real> e(*n);
             bidiagonal.reduce(b, *nrhs, *ldb);
             std::copy_n(bidiagonal.diagonal().data(), *n, s);
             std::copy_n(bidiagonal.superdiagonal().data(), *n - 1, e.data());
             if (const Int failed = solve(s, e.data(), b, *ldb, *rcond, rank))
               return static_cast<int>(failed);
             bidiagonal.applyP(b, *nrhs, *ldb);
             forward(&workspaceQuery<Int>);
             return 0;
           },
           .query = query},
          info);
}

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

/// The common part of gesdd and gesvd: on tiles where S alone is wanted, or all with min(m, n) vectors.
/// `forward(lwork)` is the call to the library behind; `left` takes the superdiagonal of what did not converge.
template <typename T, Names names, typename Int, typename Behind, typename Forward, typename Left>
void valuesOfSvd(const char *routine, Caller caller, const Behind &next, const WantedVectors<T> &wanted, Int m, Int n,
                 T *a, Int lda, RealType<T> *s, const Int *lwork, Forward forward, Left left, Int *info) {
  const Int k = std::min(m, n), larger = std::max(m, n);
  perform({.routine = nameOf<T>(routine),
           .sizes = {{"m", m}, {"n", n}},
           .leading = {lda},
           .least = k,
           .tiledFrom = wanted.none ? tiledFrom : vectorsTiledFrom,
           .requirements = {}, // which depend on what is wanted: LAPACK's own looks at them
           .origin = next.origin(),
           .work = {algorithm::ge2gb<T>(), {.m = larger, .n = k}},
           .largestTile = wanted.none ? bandwidth : eigenTile(k),
           .partsOnTiles = true,
           .passOn = [&] { forward(lwork); },
           .onTiles = [&](Tiles &tiles) -> int {
             if (lda >= m && isUnusual(a, m, n, lda))
               throw LeftToLapack("to be scaled");
             if (!wanted.none && !wanted.economic)
               throw NotStarted("singular vectors are wanted, not min(m, n) of each side");
             if (lda < m || wanted.ldu < (wanted.none ? 1 : m) || wanted.ldvt < (wanted.none ? 1 : k) ||
                 *lwork < (wanted.none ? leastWorkOfValues<T>(larger, k) : wanted.leastWork))
               throw NotStarted("illegal arguments or little workspace");
             if (!wanted.none) {
               singularVectors<T>(tiles, a, m, n, lda, s, wanted);
               forward(&workspaceQuery<Int>);
               return 0;
             }
             std::vector<RealType<T>> e;
             const int failed = singularValues<T, names, Int>(tiles, caller, a, m, n, lda, s, e);
             if (failed == 0)
               forward(&workspaceQuery<Int>);
             else
               left(e.data(), k - 1);
             return failed;
           },
           .query = *lwork == workspaceQuery<Int>},
          info);
}

/// A = U S V^H by divide and conquer.
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
  const auto forward = [&](const Int *size) {
    if constexpr (isComplex<T>)
      next(jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, rwork, iwork, info);
    else
      next(jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, iwork, info);
  };
  const long k = std::min(*m, *n), larger = std::max(*m, *n);
  const WantedVectors<T> wanted{
      is(jobz, 'N'), is(jobz, 'S') || (is(jobz, 'A') && *m == *n), u, *ldu, vt, *ldvt, leastWorkOfVectors(larger, k)};
  valuesOfSvd<T, names, Int>(
      "gesdd", caller, next, wanted, *m, *n, a, *lda, s, lwork, forward, [](const Real *, Int) {}, info);
}

/// A = U S V^H by the QR iteration, which leaves what did not converge in RWORK, or behind WORK(1).
template <typename T, Names names, typename Int>
void gesvd(Caller caller, const char *jobu, const char *jobvt, const Int *m, const Int *n, T *a, const Int *lda,
           RealType<T> *s, T *u, const Int *ldu, T *vt, const Int *ldvt, T *work, const Int *lwork, RealType<T> *rwork,
           Int *info) {
  using Real = RealType<T>;
  using All = std::conditional_t<isComplex<T>,
                                 Next<const char *, const char *, const Int *, const Int *, T *, const Int *, Real *,
                                      T *, const Int *, T *, const Int *, T *, const Int *, Real *, Int *>,
                                 Next<const char *, const char *, const Int *, const Int *, T *, const Int *, Real *,
                                      T *, const Int *, T *, const Int *, T *, const Int *, Int *>>;
  static const All all(names, nameOf<T>("gesvd"));
  const auto next = all.of(caller);
  const auto forward = [&](const Int *size) {
    if constexpr (isComplex<T>)
      next(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, rwork, info);
    else
      next(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, info);
  };
  const auto leave = [&](const Real *e, Int count) {
    if constexpr (isComplex<T>)
      std::copy_n(e, count, rwork);
    else
      std::copy_n(e, count, work + 1);
  };
  const long k = std::min(*m, *n), larger = std::max(*m, *n);
  const auto isEconomic = [&](const char *job) { return is(job, 'S') || (is(job, 'A') && *m == *n); };
  const WantedVectors<T> wanted{
      is(jobu, 'N') && is(jobvt, 'N'), isEconomic(jobu) && isEconomic(jobvt), u, *ldu, vt, *ldvt,
      std::max(3 * k + larger, 5 * k)};
  valuesOfSvd<T, names, Int>("gesvd", caller, next, wanted, *m, *n, a, *lda, s, lwork, forward, leave, info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT_REAL(gelsd, gelsd,
                 (const Int *m, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b, const Int *ldb, T *s,
                  const T *rcond, Int *rank, T *work, const Int *lwork, Int *iwork, Int *info),
                 (m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work, lwork, nullptr, iwork, info))
HETC_EXPORT_COMPLEX(gelsd, gelsd,
                    (const Int *m, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b, const Int *ldb,
                     RealType<T> *s, const RealType<T> *rcond, Int *rank, T *work, const Int *lwork, RealType<T> *rwork,
                     Int *iwork, Int *info),
                    (m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work, lwork, rwork, iwork, info))
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
