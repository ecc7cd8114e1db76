// Least squares by singular values, of A of any rank: gelsd.
#include "lapack/export.hpp"
#include "lapack/svd/bidiagonalization.hpp"

#include <cmath>

namespace tla::lapack {
namespace {

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

/// Returns the LWORK with which LAPACK's own routine takes a problem of any shape: with less the call is left to it,
/// which may say that it is too little.
template <typename T> long leastWorkOfGelsd(long m, long n, long nrhs) {
  const long lalsd = 9 * n + 2 * n * lalsdLeaf + 8 * n * lalsdLevels(n) + n * nrhs + (lalsdLeaf + 1) * (lalsdLeaf + 1);
  return isComplex<T> ? 2 * n + std::max(m, n * nrhs) : 3 * n + std::max({m, nrhs, lalsd});
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
           .tiledFrom = singularValuesTiledFrom,
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
