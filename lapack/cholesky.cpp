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
template <typename T> void potrf(const char *uplo, const int *n, T *a, const int *lda, int *info) {
  static const Next<const char *, const int *, T *, const int *, int *> next(symbol<T>("potrf"));
  const auto &algorithm = factorization<T>(uploOf(uplo));
  perform({.routine = nameOf<T>("potrf"),
           .sizes = {{"n", *n}},
           .least = *n,
           .tiledFrom = potrfTiledFrom,
           .requirements = {{1, isUplo(uplo)}, {2, *n >= 0}, {4, *lda >= atLeastOne(*n)}},
           .work = {algorithm, {.n = *n}},
           .passOn = [&] { next(uplo, n, a, lda, info); },
           .onTiles = [&](Tiles &tiles) { return tiles.run(algorithm, {tiles.triangle(uploOf(uplo), a, *n, *lda)}); }},
          *info);
}

/// B = A^-1 B with the factor of A.
template <typename T>
void potrs(const char *uplo, const int *n, const int *nrhs, const T *a, const int *lda, T *b, const int *ldb,
           int *info) {
  static const Next<const char *, const int *, const int *, const T *, const int *, T *, const int *, int *> next(
      symbol<T>("potrs"));
  const auto &algorithm = solution<T>(uploOf(uplo));
  perform(
      {.routine = nameOf<T>("potrs"),
       .sizes = {{"n", *n}, {"nrhs", *nrhs}},
       .least = std::min(*n, *nrhs),
       .tiledFrom = potrsTiledFrom,
       .requirements =
           {{1, isUplo(uplo)}, {2, *n >= 0}, {3, *nrhs >= 0}, {5, *lda >= atLeastOne(*n)}, {7, *ldb >= atLeastOne(*n)}},
       .work = {algorithm, {.n = *n, .k = *nrhs}},
       .passOn = [&] { next(uplo, n, nrhs, a, lda, b, ldb, info); },
       .onTiles =
           [&](Tiles &tiles) {
             return tiles.run(algorithm,
                              {tiles.triangle(uploOf(uplo), a, *n, *lda), tiles.general(b, *n, *nrhs, *ldb)});
           }},
      *info);
}

/// Both. When A is not positive definite B stays as it is, hence two runs.
template <typename T>
void posv(const char *uplo, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb, int *info) {
  static const Next<const char *, const int *, const int *, T *, const int *, T *, const int *, int *> next(
      symbol<T>("posv"));
  const auto &algorithm = factorization<T>(uploOf(uplo));
  perform(
      {.routine = nameOf<T>("posv"),
       .sizes = {{"n", *n}, {"nrhs", *nrhs}},
       .least = *n,
       .tiledFrom = potrfTiledFrom,
       .requirements =
           {{1, isUplo(uplo)}, {2, *n >= 0}, {3, *nrhs >= 0}, {5, *lda >= atLeastOne(*n)}, {7, *ldb >= atLeastOne(*n)}},
       .work = {algorithm, {.n = *n}},
       .passOn = [&] { next(uplo, n, nrhs, a, lda, b, ldb, info); },
       .onTiles =
           [&](Tiles &tiles) {
             const StorageRef A = tiles.triangle(uploOf(uplo), a, *n, *lda);
             const int failed = tiles.run(algorithm, {A});
             return failed ? failed : tiles.run(solution<T>(uploOf(uplo)), {A, tiles.general(b, *n, *nrhs, *ldb)});
           }},
      *info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT(potrf, (const char *uplo, const int *n, T *a, const int *lda, int *info), (uplo, n, a, lda, info))
HETC_EXPORT(potrs,
            (const char *uplo, const int *n, const int *nrhs, const T *a, const int *lda, T *b, const int *ldb,
             int *info),
            (uplo, n, nrhs, a, lda, b, ldb, info))
HETC_EXPORT(posv,
            (const char *uplo, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb, int *info),
            (uplo, n, nrhs, a, lda, b, ldb, info))
