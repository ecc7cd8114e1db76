// From a generalized to a standard Hermitian eigenvalue problem: sygst and hegst. The drivers sygv, sygvd and sygvx are
// LAPACK's own: what they are made of, potrf, sygst, an eigensolver and trsm, they call by name.
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/eigen_solver.hpp"
#include "lapack/export.hpp"

namespace tla::lapack {
namespace {

constexpr int hegstTiledFrom = 400;

/// A = L^-1 A L^-H (itype = 1) or L^H A L (2, 3). With an upper triangle, of B = U^H U, the algorithm's L is U^H.
template <typename T, Names names, typename Int>
void hegst(Caller caller, const Int *itype, const char *uplo, const Int *n, T *a, const Int *lda, const T *b,
           const Int *ldb, Int *info) {
  static const Next<const Int *, const char *, const Int *, T *, const Int *, const T *, const Int *, Int *> all(
      names, nameOf<T>(isComplex<T> ? "hegst" : "sygst"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::hegst<T>();
  const Scalars scalars{asScalar(*itype)};
  perform({.routine = nameOf<T>(isComplex<T> ? "hegst" : "sygst"),
           .sizes = {{"n", *n}},
           .leading = {*lda, *ldb},
           .least = *n,
           .tiledFrom = hegstTiledFrom,
           .requirements = {{1, *itype >= 1 && *itype <= 3},
                            {2, isUplo(uplo)},
                            {3, *n >= 0},
                            {5, *lda >= atLeastOne(*n)},
                            {7, *ldb >= atLeastOne(*n)}},
           .origin = next.origin(),
           .work = {algorithm, {.n = *n}, scalars},
           .passOn = [&] { next(itype, uplo, n, a, lda, b, ldb, info); },
           .onTiles = [&](Tiles &tiles) -> int {
             if (uploOf(uplo) == Uplo::Lower)
               return tiles.run(algorithm,
                                {tiles.triangle(Uplo::Lower, a, *n, *lda), tiles.triangle(Uplo::Lower, b, *n, *ldb)},
                                scalars);
             const HermitianArray<T> upper{Uplo::Upper, a, *n, *lda};
             const SquareBuffer<T> A(*n), L(*n);
             copyLower(upper, A.data());
             copyLower<T>({Uplo::Upper, const_cast<T *>(b), *n, *ldb}, L.data());
             const int failed = tiles.run(
                 algorithm,
                 {tiles.triangle(Uplo::Lower, A.data(), *n, *n), tiles.triangle(Uplo::Lower, L.data(), *n, *n)},
                 scalars);
             copyFromLower(A.data(), upper);
             return failed;
           }},
          info);
}

} // namespace
} // namespace tla::lapack

#define HEGST_PARAMETERS                                                                                               \
  (const Int *itype, const char *uplo, const Int *n, T *a, const Int *lda, const T *b, const Int *ldb, Int *info)
#define HEGST_ARGUMENTS (itype, uplo, n, a, lda, b, ldb, info)
HETC_EXPORT_REAL(sygst, hegst, HEGST_PARAMETERS, HEGST_ARGUMENTS)
HETC_EXPORT_COMPLEX(hegst, hegst, HEGST_PARAMETERS, HEGST_ARGUMENTS)
