// QR and least squares: geqrf, ormqr (unmqr), orgqr (ungqr), gels.
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/export.hpp"
#include "lapack/magnitude.hpp"

namespace tla::lapack {
namespace {

constexpr int geqrfTiledFrom = 224, ormqrTiledFrom = 256, orgqrTiledFrom = 256;

/// A = Q R.
template <typename T, Names names, typename Int>
void geqrf(Caller caller, const Int *m, const Int *n, T *a, const Int *lda, T *tau, T *work, const Int *lwork,
           Int *info) {
  static const Next<const Int *, const Int *, T *, const Int *, T *, T *, const Int *, Int *> all(names,
                                                                                                  nameOf<T>("geqrf"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::geqrf<T>();
  const bool query = *lwork == workspaceQuery<Int>;
  const Int k = std::min(*m, *n);
  perform({.routine = nameOf<T>("geqrf"),
           .sizes = {{"m", *m}, {"n", *n}},
           .leading = {*lda},
           .least = k,
           .tiledFrom = geqrfTiledFrom,
           .requirements = {{1, *m >= 0},
                            {2, *n >= 0},
                            {4, *lda >= atLeastOne(*m)},
                            {7, query || (*lwork > 0 && (*m == 0 || *lwork >= atLeastOne(*n)))}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *m, .n = *n}},
           .passOn = [&] { next(m, n, a, lda, tau, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 tiles.run(algorithm, {tiles.general(a, *m, *n, *lda), tiles.general(tau, k, 1, k)});
                 next(m, n, a, lda, tau, work, &workspaceQuery<Int>, info); // WORK(1) as LAPACK leaves it
                 return 0;
               },
           .query = query},
          info);
}

/// C = op(Q) C or C op(Q).
template <typename T, Names names, typename Int>
void ormqr(Caller caller, const char *side, const char *trans, const Int *m, const Int *n, const Int *k, const T *a,
           const Int *lda, const T *tau, T *c, const Int *ldc, T *work, const Int *lwork, Int *info) {
  static constexpr const char *name = isComplex<T> ? "unmqr" : "ormqr";
  static const Next<const char *, const char *, const Int *, const Int *, const Int *, const T *, const Int *,
                    const T *, T *, const Int *, T *, const Int *, Int *>
      all(names, nameOf<T>(name));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::ormqr<T>();
  const bool query = *lwork == workspaceQuery<Int>, left = is(side, 'L'), plain = is(trans, 'N');
  const Scalars scalars{asScalar(left ? Side::Left : Side::Right), asScalar(plain ? Op::NoTrans : Op::ConjTrans)};
  const Int order = left ? *m : *n, others = left ? *n : *m; // of Q; vectors that it is applied to
  perform({.routine = nameOf<T>(name),
           .sizes = {{"m", *m}, {"n", *n}, {"k", *k}},
           .leading = {*lda, *ldc},
           .least = std::min({*m, *n, *k}),
           .tiledFrom = ormqrTiledFrom,
           .requirements = {{1, left || is(side, 'R')},
                            {2, plain || isConjTrans<T>(trans)},
                            {3, *m >= 0},
                            {4, *n >= 0},
                            {5, *k >= 0 && *k <= order},
                            {7, *lda >= atLeastOne(order)},
                            {10, *ldc >= atLeastOne(*m)},
                            {12, query || *lwork >= atLeastOne(others)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *m, .n = *n, .k = *k}, scalars},
           .passOn = [&] { next(side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 tiles.run(
                     algorithm,
                     {tiles.general(a, order, *k, *lda), tiles.general(tau, *k, 1, *k), tiles.general(c, *m, *n, *ldc)},
                     scalars);
                 next(side, trans, m, n, k, a, lda, tau, c, ldc, work, &workspaceQuery<Int>, info);
                 return 0;
               },
           .query = query},
          info);
}

/// The first n columns of Q, in place of its vectors.
template <typename T, Names names, typename Int>
void orgqr(Caller caller, const Int *m, const Int *n, const Int *k, T *a, const Int *lda, const T *tau, T *work,
           const Int *lwork, Int *info) {
  static constexpr const char *name = isComplex<T> ? "ungqr" : "orgqr";
  static const Next<const Int *, const Int *, const Int *, T *, const Int *, const T *, T *, const Int *, Int *> all(
      names, nameOf<T>(name));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::orgqr<T>();
  const bool query = *lwork == workspaceQuery<Int>;
  perform({.routine = nameOf<T>(name),
           .sizes = {{"m", *m}, {"n", *n}, {"k", *k}},
           .leading = {*lda},
           .least = std::min(*n, *k),
           .tiledFrom = orgqrTiledFrom,
           .requirements = {{1, *m >= 0},
                            {2, *n >= 0 && *n <= *m},
                            {3, *k >= 0 && *k <= *n},
                            {5, *lda >= atLeastOne(*m)},
                            {8, query || *lwork >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *m, .n = *n, .k = *k}},
           .passOn = [&] { next(m, n, k, a, lda, tau, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 tiles.run(algorithm, {tiles.general(a, *m, *n, *lda), tiles.general(tau, *k, 1, *k)});
                 next(m, n, k, a, lda, tau, work, &workspaceQuery<Int>, info);
                 return 0;
               },
           .query = query},
          info);
}

/// The X that minimizes |B - op(A) X|, or the shortest with op(A) X = B, by the steps of LAPACK's gels, each a run: B =
/// R^-1 Q^H B or Q R^-H B of a tall A = Q R, Q^H L^-1 B or L^-H Q B of a wide A = L Q.
template <typename T>
int gelsOnTiles(Tiles &tiles, bool plain, long m, long n, long nrhs, T *a, long lda, T *b, long ldb, T *tau) {
  const bool isTall = m >= n, isLeastSquares = plain == isTall;
  const long k = std::min(m, n), longer = std::max(m, n);
  const StorageRef A = tiles.general(a, m, n, lda), factors = tiles.general(tau, k, 1, k),
                   B = tiles.general(b, longer, nrhs, ldb);
  const auto applyQ = [&](Op op) {
    tiles.run(isTall ? algorithm::ormqr<T>() : algorithm::ormlq<T>(), {A, factors, B},
              {asScalar(Side::Left), asScalar(op)});
  };
  tiles.run(isTall ? algorithm::geqrf<T>() : algorithm::gelqf<T>(), {A, factors});
  if (isLeastSquares)
    applyQ(isTall ? Op::ConjTrans : Op::NoTrans);
  if (const int zero = firstZeroOnDiagonal(a, k, lda))
    return zero;
  tiles.run(algorithm::trsm<T>(), {tiles.general(a, k, k, lda), tiles.general(b, k, nrhs, ldb)},
            {asScalar(Side::Left), asScalar(isTall ? Uplo::Upper : Uplo::Lower),
             asScalar(plain ? Op::NoTrans : Op::ConjTrans), asScalar(Diag::NonUnit), one});
  if (!isLeastSquares) {
    for (long j = 0; j < nrhs; ++j)
      std::fill_n(b + k + j * ldb, longer - k, T(0));
    applyQ(isTall ? Op::NoTrans : Op::ConjTrans);
  }
  return 0;
}

/// Solves least squares on tiles; extreme matrices, which LAPACK scales, are passed on.
template <typename T, Names names, typename Int>
void gels(Caller caller, const char *trans, const Int *m, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b,
          const Int *ldb, T *work, const Int *lwork, Int *info) {
  static const Next<const char *, const Int *, const Int *, const Int *, T *, const Int *, T *, const Int *, T *,
                    const Int *, Int *>
      all(names, nameOf<T>("gels"));
  const auto next = all.of(caller);
  const bool query = *lwork == workspaceQuery<Int>, plain = is(trans, 'N');
  const Int k = std::min(*m, *n);
  perform({.routine = nameOf<T>("gels"),
           .sizes = {{"m", *m}, {"n", *n}, {"nrhs", *nrhs}},
           .leading = {*lda, *ldb},
           .least = *nrhs == 0 ? 0 : k,
           .tiledFrom = geqrfTiledFrom,
           .requirements = {{1, plain || isConjTrans<T>(trans)},
                            {2, *m >= 0},
                            {3, *n >= 0},
                            {4, *nrhs >= 0},
                            {6, *lda >= atLeastOne(*m)},
                            {8, *ldb >= atLeastOne(std::max(*m, *n))},
                            {10, query || *lwork >= atLeastOne(k + std::max(k, *nrhs))}},
           .origin = next.origin(),
           .work = {algorithm::geqrf<T>(), {.m = *m, .n = *n}},
           .passOn = [&] { next(trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 if (needsScaling(a, *m, *n, *lda) || needsScaling(b, plain ? *m : *n, *nrhs, *ldb))
                   throw NotStarted("to be scaled");
                 const int zero = gelsOnTiles(tiles, plain, *m, *n, *nrhs, a, *lda, b, *ldb, work);
                 if (zero == 0)
                   next(trans, m, n, nrhs, a, lda, b, ldb, work, &workspaceQuery<Int>, info);
                 return zero;
               },
           .query = query},
          info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT(geqrf, (const Int *m, const Int *n, T *a, const Int *lda, T *tau, T *work, const Int *lwork, Int *info),
            (m, n, a, lda, tau, work, lwork, info))
#define ORMQR_PARAMETERS                                                                                               \
  (const char *side, const char *trans, const Int *m, const Int *n, const Int *k, const T *a, const Int *lda,          \
   const T *tau, T *c, const Int *ldc, T *work, const Int *lwork, Int *info)
#define ORMQR_ARGUMENTS (side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info)
HETC_EXPORT_REAL(ormqr, ormqr, ORMQR_PARAMETERS, ORMQR_ARGUMENTS)
HETC_EXPORT_COMPLEX(unmqr, ormqr, ORMQR_PARAMETERS, ORMQR_ARGUMENTS)
#define ORGQR_PARAMETERS                                                                                               \
  (const Int *m, const Int *n, const Int *k, T *a, const Int *lda, const T *tau, T *work, const Int *lwork, Int *info)
#define ORGQR_ARGUMENTS (m, n, k, a, lda, tau, work, lwork, info)
HETC_EXPORT_REAL(orgqr, orgqr, ORGQR_PARAMETERS, ORGQR_ARGUMENTS)
HETC_EXPORT_COMPLEX(ungqr, orgqr, ORGQR_PARAMETERS, ORGQR_ARGUMENTS)
HETC_EXPORT(gels,
            (const char *trans, const Int *m, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b, const Int *ldb,
             T *work, const Int *lwork, Int *info),
            (trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info))
