// LU: getrf, getrs, gesv, getri.
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/export.hpp"
#include "lapack/pivots.hpp"

namespace tla::lapack {
namespace {

constexpr int getrfTiledFrom = 320, getrsTiledFrom = 256, getriTiledFrom = 320;

/// P A = L U, complete also when a pivot is zero.
template <typename T, Names names, typename Int>
void getrf(Caller caller, const Int *m, const Int *n, T *a, const Int *lda, Int *ipiv, Int *info) {
  static const Next<const Int *, const Int *, T *, const Int *, Int *, Int *> all(names, nameOf<T>("getrf"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::getrf<T>();
  const Int k = std::min(*m, *n);
  perform({.routine = nameOf<T>("getrf"),
           .sizes = {{"m", *m}, {"n", *n}},
           .leading = {*lda},
           .least = k,
           .tiledFrom = getrfTiledFrom,
           .requirements = {{1, *m >= 0}, {2, *n >= 0}, {4, *lda >= atLeastOne(*m)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *m, .n = *n}},
           .passOn = [&] { next(m, n, a, lda, ipiv, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 PivotsOut pivots(ipiv, k);
                 return tiles.run(algorithm, {tiles.general(a, *m, *n, *lda), tiles.general(pivots.data(), k, 1, k)});
               }},
          info);
}

/// op(A) X = B with the factors of A.
template <typename T, Names names, typename Int>
void getrs(Caller caller, const char *trans, const Int *n, const Int *nrhs, const T *a, const Int *lda, const Int *ipiv,
           T *b, const Int *ldb, Int *info) {
  static const Next<const char *, const Int *, const Int *, const T *, const Int *, const Int *, T *, const Int *,
                    Int *>
      all(names, nameOf<T>("getrs"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::getrs<T>();
  const Scalars scalars{asScalar(opOf(trans))};
  perform({.routine = nameOf<T>("getrs"),
           .sizes = {{"n", *n}, {"nrhs", *nrhs}},
           .leading = {*lda, *ldb},
           .least = std::min(*n, *nrhs),
           .tiledFrom = getrsTiledFrom,
           .requirements = {{1, isTrans(trans)},
                            {2, *n >= 0},
                            {3, *nrhs >= 0},
                            {5, *lda >= atLeastOne(*n)},
                            {8, *ldb >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.n = *n, .k = *nrhs}, scalars},
           .passOn = [&] { next(trans, n, nrhs, a, lda, ipiv, b, ldb, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 const PivotsIn pivots(ipiv, *n);
                 return tiles.run(algorithm,
                                  {tiles.general(a, *n, *n, *lda), tiles.general(pivots.data(), *n, 1, *n),
                                   tiles.general(b, *n, *nrhs, *ldb)},
                                  scalars);
               }},
          info);
}

/// Both. When A is singular B stays as it is, hence two runs.
template <typename T, Names names, typename Int>
void gesv(Caller caller, const Int *n, const Int *nrhs, T *a, const Int *lda, Int *ipiv, T *b, const Int *ldb,
          Int *info) {
  static const Next<const Int *, const Int *, T *, const Int *, Int *, T *, const Int *, Int *> all(names,
                                                                                                    nameOf<T>("gesv"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::getrf<T>();
  perform({.routine = nameOf<T>("gesv"),
           .sizes = {{"n", *n}, {"nrhs", *nrhs}},
           .leading = {*lda, *ldb},
           .least = *n,
           .tiledFrom = getrfTiledFrom,
           .requirements = {{1, *n >= 0}, {2, *nrhs >= 0}, {4, *lda >= atLeastOne(*n)}, {7, *ldb >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *n, .n = *n}},
           .passOn = [&] { next(n, nrhs, a, lda, ipiv, b, ldb, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 PivotsOut interchanges(ipiv, *n);
                 const StorageRef A = tiles.general(a, *n, *n, *lda),
                                  pivots = tiles.general(interchanges.data(), *n, 1, *n);
                 const int zero = tiles.run(algorithm, {A, pivots});
                 return zero ? zero
                             : tiles.run(algorithm::getrs<T>(), {A, pivots, tiles.general(b, *n, *nrhs, *ldb)},
                                         {asScalar(Op::NoTrans)});
               }},
          info);
}

/// The columns of U^-1 L^-1 become those of A^-1: getrf's interchanges of rows, from the last to the first.
template <typename T, typename Int> void interchangeColumns(T *a, Int n, Int lda, const Int *ipiv) {
  const auto column = [&](Int j) { return a + static_cast<std::size_t>(j) * lda; };
  for (Int j = n - 1; j >= 0; --j)
    if (const Int other = ipiv[j] - 1; other != j)
      std::swap_ranges(column(j), column(j) + n, column(other));
}

/// A^-1 from the factors of A. A singular U stays as it is.
template <typename T, Names names, typename Int>
void getri(Caller caller, const Int *n, T *a, const Int *lda, const Int *ipiv, T *work, const Int *lwork, Int *info) {
  static const Next<const Int *, T *, const Int *, const Int *, T *, const Int *, Int *> all(names, nameOf<T>("getri"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::getri<T>();
  const bool query = *lwork == workspaceQuery<Int>;
  perform({.routine = nameOf<T>("getri"),
           .sizes = {{"n", *n}},
           .leading = {*lda},
           .least = *n,
           .tiledFrom = getriTiledFrom,
           .requirements = {{1, *n >= 0}, {3, *lda >= atLeastOne(*n)}, {6, query || *lwork >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *n, .n = *n}},
           .passOn = [&] { next(n, a, lda, ipiv, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 next(n, a, lda, ipiv, work, &workspaceQuery<Int>, info); // WORK(1) as LAPACK leaves it, in any case
                 if (const int zero = firstZeroOnDiagonal(a, *n, *lda))
                   return zero;
                 tiles.run(algorithm, {tiles.general(a, *n, *n, *lda)});
                 interchangeColumns(a, *n, *lda, ipiv);
                 return 0;
               },
           .query = query},
          info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT(getrf, (const Int *m, const Int *n, T *a, const Int *lda, Int *ipiv, Int *info), (m, n, a, lda, ipiv, info))
HETC_EXPORT(getrs,
            (const char *trans, const Int *n, const Int *nrhs, const T *a, const Int *lda, const Int *ipiv, T *b,
             const Int *ldb, Int *info),
            (trans, n, nrhs, a, lda, ipiv, b, ldb, info))
HETC_EXPORT(gesv, (const Int *n, const Int *nrhs, T *a, const Int *lda, Int *ipiv, T *b, const Int *ldb, Int *info),
            (n, nrhs, a, lda, ipiv, b, ldb, info))
HETC_EXPORT(getri, (const Int *n, T *a, const Int *lda, const Int *ipiv, T *work, const Int *lwork, Int *info),
            (n, a, lda, ipiv, work, lwork, info))
