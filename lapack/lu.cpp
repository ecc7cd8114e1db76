// LU: getrf, getrs, gesv, getri.
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/export.hpp"

namespace tla::lapack {
namespace {

constexpr int getrfTiledFrom = 320, getrsTiledFrom = 256, getriTiledFrom = 320;

/// P A = L U, complete also when a pivot is zero.
template <typename T> void getrf(const int *m, const int *n, T *a, const int *lda, int *ipiv, int *info) {
  static const Next<const int *, const int *, T *, const int *, int *, int *> next(symbol<T>("getrf"));
  const auto &algorithm = algorithm::getrf<T>();
  const int k = std::min(*m, *n);
  perform({.routine = nameOf<T>("getrf"),
           .sizes = {{"m", *m}, {"n", *n}},
           .least = k,
           .tiledFrom = getrfTiledFrom,
           .requirements = {{1, *m >= 0}, {2, *n >= 0}, {4, *lda >= atLeastOne(*m)}},
           .work = {algorithm, {.m = *m, .n = *n}},
           .passOn = [&] { next(m, n, a, lda, ipiv, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 return tiles.run(algorithm, {tiles.general(a, *m, *n, *lda), tiles.general(ipiv, k, 1, k)});
               }},
          *info);
}

/// op(A) X = B with the factors of A.
template <typename T>
void getrs(const char *trans, const int *n, const int *nrhs, const T *a, const int *lda, const int *ipiv, T *b,
           const int *ldb, int *info) {
  static const Next<const char *, const int *, const int *, const T *, const int *, const int *, T *, const int *,
                    int *>
      next(symbol<T>("getrs"));
  const auto &algorithm = algorithm::getrs<T>();
  const Scalars scalars{asScalar(opOf(trans))};
  perform({.routine = nameOf<T>("getrs"),
           .sizes = {{"n", *n}, {"nrhs", *nrhs}},
           .least = std::min(*n, *nrhs),
           .tiledFrom = getrsTiledFrom,
           .requirements = {{1, isTrans(trans)},
                            {2, *n >= 0},
                            {3, *nrhs >= 0},
                            {5, *lda >= atLeastOne(*n)},
                            {8, *ldb >= atLeastOne(*n)}},
           .work = {algorithm, {.n = *n, .k = *nrhs}, scalars},
           .passOn = [&] { next(trans, n, nrhs, a, lda, ipiv, b, ldb, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 return tiles.run(algorithm,
                                  {tiles.general(a, *n, *n, *lda), tiles.general(ipiv, *n, 1, *n),
                                   tiles.general(b, *n, *nrhs, *ldb)},
                                  scalars);
               }},
          *info);
}

/// Both. When A is singular B stays as it is, hence two runs.
template <typename T>
void gesv(const int *n, const int *nrhs, T *a, const int *lda, int *ipiv, T *b, const int *ldb, int *info) {
  static const Next<const int *, const int *, T *, const int *, int *, T *, const int *, int *> next(symbol<T>("gesv"));
  const auto &algorithm = algorithm::getrf<T>();
  perform({.routine = nameOf<T>("gesv"),
           .sizes = {{"n", *n}, {"nrhs", *nrhs}},
           .least = *n,
           .tiledFrom = getrfTiledFrom,
           .requirements = {{1, *n >= 0}, {2, *nrhs >= 0}, {4, *lda >= atLeastOne(*n)}, {7, *ldb >= atLeastOne(*n)}},
           .work = {algorithm, {.m = *n, .n = *n}},
           .passOn = [&] { next(n, nrhs, a, lda, ipiv, b, ldb, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 const StorageRef A = tiles.general(a, *n, *n, *lda), pivots = tiles.general(ipiv, *n, 1, *n);
                 const int zero = tiles.run(algorithm, {A, pivots});
                 return zero ? zero
                             : tiles.run(algorithm::getrs<T>(), {A, pivots, tiles.general(b, *n, *nrhs, *ldb)},
                                         {asScalar(Op::NoTrans)});
               }},
          *info);
}

/// The columns of U^-1 L^-1 become those of A^-1: getrf's interchanges of rows, from the last to the first.
template <typename T> void interchangeColumns(T *a, int n, int lda, const int *ipiv) {
  const auto column = [&](int j) { return a + static_cast<std::size_t>(j) * lda; };
  for (int j = n - 1; j >= 0; --j)
    if (const int other = ipiv[j] - 1; other != j)
      std::swap_ranges(column(j), column(j) + n, column(other));
}

/// A^-1 from the factors of A. A singular U stays as it is.
template <typename T>
void getri(const int *n, T *a, const int *lda, const int *ipiv, T *work, const int *lwork, int *info) {
  static const Next<const int *, T *, const int *, const int *, T *, const int *, int *> next(symbol<T>("getri"));
  const auto &algorithm = algorithm::getri<T>();
  const bool query = *lwork == workspaceQuery;
  perform({.routine = nameOf<T>("getri"),
           .sizes = {{"n", *n}},
           .least = *n,
           .tiledFrom = getriTiledFrom,
           .requirements = {{1, *n >= 0}, {3, *lda >= atLeastOne(*n)}, {6, query || *lwork >= atLeastOne(*n)}},
           .work = {algorithm, {.m = *n, .n = *n}},
           .passOn = [&] { next(n, a, lda, ipiv, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 next(n, a, lda, ipiv, work, &workspaceQuery, info); // WORK(1) as LAPACK leaves it, in any case
                 if (const int zero = firstZeroOnDiagonal(a, *n, *lda))
                   return zero;
                 tiles.run(algorithm, {tiles.general(a, *n, *n, *lda)});
                 interchangeColumns(a, *n, *lda, ipiv);
                 return 0;
               },
           .query = query},
          *info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT(getrf, (const int *m, const int *n, T *a, const int *lda, int *ipiv, int *info), (m, n, a, lda, ipiv, info))
HETC_EXPORT(getrs,
            (const char *trans, const int *n, const int *nrhs, const T *a, const int *lda, const int *ipiv, T *b,
             const int *ldb, int *info),
            (trans, n, nrhs, a, lda, ipiv, b, ldb, info))
HETC_EXPORT(gesv, (const int *n, const int *nrhs, T *a, const int *lda, int *ipiv, T *b, const int *ldb, int *info),
            (n, nrhs, a, lda, ipiv, b, ldb, info))
HETC_EXPORT(getri, (const int *n, T *a, const int *lda, const int *ipiv, T *work, const int *lwork, int *info),
            (n, a, lda, ipiv, work, lwork, info))
