// Triangular matrices and inverses made of them: trtri, trtrs, lauum, potri.
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/export.hpp"

namespace tla::lapack {
namespace {

constexpr int trtriTiledFrom = 256, trtrsTiledFrom = 256, lauumTiledFrom = 256, potriTiledFrom = 256;

/// A = A^-1. A singular A stays as it is.
template <typename T, Names names, typename Int>
void trtri(Caller caller, const char *uplo, const char *diag, const Int *n, T *a, const Int *lda, Int *info) {
  static const Next<const char *, const char *, const Int *, T *, const Int *, Int *> all(names, nameOf<T>("trtri"));
  const auto next = all.of(caller);
  const bool unit = is(diag, 'U');
  const auto &algorithm = algorithm::trtri<T>();
  const Scalars scalars{asScalar(uploOf(uplo)), asScalar(unit ? Diag::Unit : Diag::NonUnit)};
  perform({.routine = nameOf<T>("trtri"),
           .sizes = {{"n", *n}},
           .leading = {*lda},
           .least = *n,
           .tiledFrom = trtriTiledFrom,
           .requirements = {{1, isUplo(uplo)}, {2, unit || is(diag, 'N')}, {3, *n >= 0}, {5, *lda >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.n = *n}, scalars},
           .passOn = [&] { next(uplo, diag, n, a, lda, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 const int zero = unit ? 0 : firstZeroOnDiagonal(a, *n, *lda);
                 return zero ? zero : tiles.run(algorithm, {tiles.general(a, *n, *n, *lda)}, scalars);
               }},
          info);
}

/// B = op(A)^-1 B. A singular A leaves B as it is.
template <typename T, Names names, typename Int>
void trtrs(Caller caller, const char *uplo, const char *trans, const char *diag, const Int *n, const Int *nrhs,
           const T *a, const Int *lda, T *b, const Int *ldb, Int *info) {
  static const Next<const char *, const char *, const char *, const Int *, const Int *, const T *, const Int *, T *,
                    const Int *, Int *>
      all(names, nameOf<T>("trtrs"));
  const auto next = all.of(caller);
  const bool unit = is(diag, 'U');
  const auto &algorithm = algorithm::trsm<T>();
  const Scalars scalars{asScalar(Side::Left), asScalar(uploOf(uplo)), asScalar(opOf(trans)),
                        asScalar(unit ? Diag::Unit : Diag::NonUnit), one};
  perform({.routine = nameOf<T>("trtrs"),
           .sizes = {{"n", *n}, {"nrhs", *nrhs}},
           .leading = {*lda, *ldb},
           .least = std::min(*n, *nrhs),
           .tiledFrom = trtrsTiledFrom,
           .requirements = {{1, isUplo(uplo)},
                            {2, isTrans(trans)},
                            {3, unit || is(diag, 'N')},
                            {4, *n >= 0},
                            {5, *nrhs >= 0},
                            {7, *lda >= atLeastOne(*n)},
                            {9, *ldb >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *n, .n = *nrhs}, scalars},
           .passOn = [&] { next(uplo, trans, diag, n, nrhs, a, lda, b, ldb, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 const int zero = unit ? 0 : firstZeroOnDiagonal(a, *n, *lda);
                 return zero ? zero
                             : tiles.run(algorithm, {tiles.general(a, *n, *n, *lda), tiles.general(b, *n, *nrhs, *ldb)},
                                         scalars);
               }},
          info);
}

/// A = U U^H or L^H L.
template <typename T, Names names, typename Int>
void lauum(Caller caller, const char *uplo, const Int *n, T *a, const Int *lda, Int *info) {
  static const Next<const char *, const Int *, T *, const Int *, Int *> all(names, nameOf<T>("lauum"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::lauum<T>();
  const Scalars scalars{asScalar(uploOf(uplo))};
  perform({.routine = nameOf<T>("lauum"),
           .sizes = {{"n", *n}},
           .leading = {*lda},
           .least = *n,
           .tiledFrom = lauumTiledFrom,
           .requirements = {{1, isUplo(uplo)}, {2, *n >= 0}, {4, *lda >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.n = *n}, scalars},
           .passOn = [&] { next(uplo, n, a, lda, info); },
           .onTiles = [&](Tiles &tiles) { return tiles.run(algorithm, {tiles.general(a, *n, *n, *lda)}, scalars); }},
          info);
}

/// The inverse of a positive definite matrix from its Cholesky factor. A singular factor stays as it is.
template <typename T, Names names, typename Int>
void potri(Caller caller, const char *uplo, const Int *n, T *a, const Int *lda, Int *info) {
  static const Next<const char *, const Int *, T *, const Int *, Int *> all(names, nameOf<T>("potri"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::potri<T>();
  const Scalars scalars{asScalar(uploOf(uplo))};
  perform({.routine = nameOf<T>("potri"),
           .sizes = {{"n", *n}},
           .leading = {*lda},
           .least = *n,
           .tiledFrom = potriTiledFrom,
           .requirements = {{1, isUplo(uplo)}, {2, *n >= 0}, {4, *lda >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.n = *n}, scalars},
           .passOn = [&] { next(uplo, n, a, lda, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 const int zero = firstZeroOnDiagonal(a, *n, *lda);
                 return zero ? zero : tiles.run(algorithm, {tiles.general(a, *n, *n, *lda)}, scalars);
               }},
          info);
}

} // namespace
} // namespace tla::lapack

HETC_EXPORT(trtri, (const char *uplo, const char *diag, const Int *n, T *a, const Int *lda, Int *info),
            (uplo, diag, n, a, lda, info))
HETC_EXPORT(trtrs,
            (const char *uplo, const char *trans, const char *diag, const Int *n, const Int *nrhs, const T *a,
             const Int *lda, T *b, const Int *ldb, Int *info),
            (uplo, trans, diag, n, nrhs, a, lda, b, ldb, info))
HETC_EXPORT(lauum, (const char *uplo, const Int *n, T *a, const Int *lda, Int *info), (uplo, n, a, lda, info))
HETC_EXPORT(potri, (const char *uplo, const Int *n, T *a, const Int *lda, Int *info), (uplo, n, a, lda, info))
