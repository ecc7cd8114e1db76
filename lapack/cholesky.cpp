// Cholesky: potrf, potrs, posv.
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/export.hpp"

namespace tla::lapack {
namespace {

constexpr int potrfTiledFrom = 288, potrsTiledFrom = 256;

template <typename T> const runtime::Algorithm &factorization(Uplo uplo) {
  return uplo == Uplo::Lower ? algorithm::cholesky<T>() : algorithm::cholesky_upper<T>();
}
template <typename T> const runtime::Algorithm &solution(Uplo uplo) {
  return uplo == Uplo::Lower ? algorithm::potrs<T>() : algorithm::potrs_upper<T>();
}

/// A = L L^H or U^H U.
template <typename T, Names names, typename Int>
void potrf(Caller caller, const char *uplo, const Int *n, T *a, const Int *lda, Int *info) {
  static const Next<const char *, const Int *, T *, const Int *, Int *> all(names, nameOf<T>("potrf"));
  const auto next = all.of(caller);
  const auto &algorithm = factorization<T>(uploOf(uplo));
  perform({.routine = nameOf<T>("potrf"),
           .sizes = {{"n", *n}},
           .leading = {*lda},
           .least = *n,
           .tiledFrom = potrfTiledFrom,
           .requirements = {{1, isUplo(uplo)}, {2, *n >= 0}, {4, *lda >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.n = *n}},
           .passOn = [&] { next(uplo, n, a, lda, info); },
           .onTiles = [&](Tiles &tiles) { return tiles.run(algorithm, {tiles.triangle(uploOf(uplo), a, *n, *lda)}); }},
          info);
}

/// B = A^-1 B with the factor of A.
template <typename T, Names names, typename Int>
void potrs(Caller caller, const char *uplo, const Int *n, const Int *nrhs, const T *a, const Int *lda, T *b,
           const Int *ldb, Int *info) {
  static const Next<const char *, const Int *, const Int *, const T *, const Int *, T *, const Int *, Int *> all(
      names, nameOf<T>("potrs"));
  const auto next = all.of(caller);
  const auto &algorithm = solution<T>(uploOf(uplo));
  perform(
      {.routine = nameOf<T>("potrs"),
       .sizes = {{"n", *n}, {"nrhs", *nrhs}},
       .leading = {*lda, *ldb},
       .least = std::min(*n, *nrhs),
       .tiledFrom = potrsTiledFrom,
       .requirements =
           {{1, isUplo(uplo)}, {2, *n >= 0}, {3, *nrhs >= 0}, {5, *lda >= atLeastOne(*n)}, {7, *ldb >= atLeastOne(*n)}},
       .origin = next.origin(),
       .work = {algorithm, {.n = *n, .k = *nrhs}},
       .passOn = [&] { next(uplo, n, nrhs, a, lda, b, ldb, info); },
       .onTiles =
           [&](Tiles &tiles) {
             return tiles.run(algorithm,
                              {tiles.triangle(uploOf(uplo), a, *n, *lda), tiles.general(b, *n, *nrhs, *ldb)});
           }},
      info);
}

/// Both. When A is not positive definite B stays as it is, hence two runs.
template <typename T, Names names, typename Int>
void posv(Caller caller, const char *uplo, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b, const Int *ldb,
          Int *info) {
  static const Next<const char *, const Int *, const Int *, T *, const Int *, T *, const Int *, Int *> all(
      names, nameOf<T>("posv"));
  const auto next = all.of(caller);
  const auto &algorithm = factorization<T>(uploOf(uplo));
  perform(
      {.routine = nameOf<T>("posv"),
       .sizes = {{"n", *n}, {"nrhs", *nrhs}},
       .leading = {*lda, *ldb},
       .least = *n,
       .tiledFrom = potrfTiledFrom,
       .requirements =
           {{1, isUplo(uplo)}, {2, *n >= 0}, {3, *nrhs >= 0}, {5, *lda >= atLeastOne(*n)}, {7, *ldb >= atLeastOne(*n)}},
       .origin = next.origin(),
       .work = {algorithm, {.n = *n}},
       .passOn = [&] { next(uplo, n, nrhs, a, lda, b, ldb, info); },
       .onTiles =
           [&](Tiles &tiles) {
             const StorageRef A = tiles.triangle(uploOf(uplo), a, *n, *lda);
             const int failed = tiles.run(algorithm, {A});
             return failed ? failed : tiles.run(solution<T>(uploOf(uplo)), {A, tiles.general(b, *n, *nrhs, *ldb)});
           }},
      info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT(potrf, (const char *uplo, const Int *n, T *a, const Int *lda, Int *info), (uplo, n, a, lda, info))
HETC_EXPORT(potrs,
            (const char *uplo, const Int *n, const Int *nrhs, const T *a, const Int *lda, T *b, const Int *ldb,
             Int *info),
            (uplo, n, nrhs, a, lda, b, ldb, info))
HETC_EXPORT(posv,
            (const char *uplo, const Int *n, const Int *nrhs, T *a, const Int *lda, T *b, const Int *ldb, Int *info),
            (uplo, n, nrhs, a, lda, b, ldb, info))
