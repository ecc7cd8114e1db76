// LQ: gelqf, ormlq (unmlq), orglq (unglq).
#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/export.hpp"

namespace tla::lapack {
namespace {

constexpr int gelqfTiledFrom = 256, ormlqTiledFrom = 256, orglqTiledFrom = 256;

/// A = L Q.
template <typename T, Names names, typename Int>
void gelqf(Caller caller, const Int *m, const Int *n, T *a, const Int *lda, T *tau, T *work, const Int *lwork,
           Int *info) {
  static const Next<const Int *, const Int *, T *, const Int *, T *, T *, const Int *, Int *> all(names,
                                                                                                  nameOf<T>("gelqf"));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::gelqf<T>();
  const bool query = *lwork == workspaceQuery<Int>;
  const Int k = std::min(*m, *n);
  perform({.routine = nameOf<T>("gelqf"),
           .sizes = {{"m", *m}, {"n", *n}},
           .leading = {*lda},
           .least = k,
           .tiledFrom = gelqfTiledFrom,
           .requirements = {{1, *m >= 0},
                            {2, *n >= 0},
                            {4, *lda >= atLeastOne(*m)},
                            {7, query || (*lwork > 0 && (*n == 0 || *lwork >= atLeastOne(*m)))}},
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
void ormlq(Caller caller, const char *side, const char *trans, const Int *m, const Int *n, const Int *k, const T *a,
           const Int *lda, const T *tau, T *c, const Int *ldc, T *work, const Int *lwork, Int *info) {
  static constexpr const char *name = isComplex<T> ? "unmlq" : "ormlq";
  static const Next<const char *, const char *, const Int *, const Int *, const Int *, const T *, const Int *,
                    const T *, T *, const Int *, T *, const Int *, Int *>
      all(names, nameOf<T>(name));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::ormlq<T>();
  const bool query = *lwork == workspaceQuery<Int>, left = is(side, 'L'), plain = is(trans, 'N');
  const Scalars scalars{asScalar(left ? Side::Left : Side::Right), asScalar(plain ? Op::NoTrans : Op::ConjTrans)};
  const Int order = left ? *m : *n, others = left ? *n : *m; // of Q; vectors that it is applied to
  perform({.routine = nameOf<T>(name),
           .sizes = {{"m", *m}, {"n", *n}, {"k", *k}},
           .leading = {*lda, *ldc},
           .least = std::min({*m, *n, *k}),
           .tiledFrom = ormlqTiledFrom,
           .requirements = {{1, left || is(side, 'R')},
                            {2, plain || isConjTrans<T>(trans)},
                            {3, *m >= 0},
                            {4, *n >= 0},
                            {5, *k >= 0 && *k <= order},
                            {7, *lda >= atLeastOne(*k)},
                            {10, *ldc >= atLeastOne(*m)},
                            {12, query || *lwork >= atLeastOne(others)}},
           .origin = next.origin(),
           .work = {algorithm, {.m = *m, .n = *n, .k = *k}, scalars},
           .passOn = [&] { next(side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info); },
           .onTiles =
               [&](Tiles &tiles) {
                 tiles.run(
                     algorithm,
                     {tiles.general(a, *k, order, *lda), tiles.general(tau, *k, 1, *k), tiles.general(c, *m, *n, *ldc)},
                     scalars);
                 next(side, trans, m, n, k, a, lda, tau, c, ldc, work, &workspaceQuery<Int>, info);
                 return 0;
               },
           .query = query},
          info);
}

/// The first m rows of Q, in place of its vectors.
template <typename T, Names names, typename Int>
void orglq(Caller caller, const Int *m, const Int *n, const Int *k, T *a, const Int *lda, const T *tau, T *work,
           const Int *lwork, Int *info) {
  static constexpr const char *name = isComplex<T> ? "unglq" : "orglq";
  static const Next<const Int *, const Int *, const Int *, T *, const Int *, const T *, T *, const Int *, Int *> all(
      names, nameOf<T>(name));
  const auto next = all.of(caller);
  const auto &algorithm = algorithm::orglq<T>();
  const bool query = *lwork == workspaceQuery<Int>;
  perform({.routine = nameOf<T>(name),
           .sizes = {{"m", *m}, {"n", *n}, {"k", *k}},
           .leading = {*lda},
           .least = std::min(*m, *k),
           .tiledFrom = orglqTiledFrom,
           .requirements = {{1, *m >= 0},
                            {2, *n >= *m},
                            {3, *k >= 0 && *k <= *m},
                            {5, *lda >= atLeastOne(*m)},
                            {8, query || *lwork >= atLeastOne(*m)}},
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

} // namespace
} // namespace tla::lapack

HETC_EXPORT(gelqf, (const Int *m, const Int *n, T *a, const Int *lda, T *tau, T *work, const Int *lwork, Int *info),
            (m, n, a, lda, tau, work, lwork, info))
#define ORMLQ_PARAMETERS                                                                                               \
  (const char *side, const char *trans, const Int *m, const Int *n, const Int *k, const T *a, const Int *lda,          \
   const T *tau, T *c, const Int *ldc, T *work, const Int *lwork, Int *info)
#define ORMLQ_ARGUMENTS (side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info)
HETC_EXPORT_REAL(ormlq, ormlq, ORMLQ_PARAMETERS, ORMLQ_ARGUMENTS)
HETC_EXPORT_COMPLEX(unmlq, ormlq, ORMLQ_PARAMETERS, ORMLQ_ARGUMENTS)
#define ORGLQ_PARAMETERS                                                                                               \
  (const Int *m, const Int *n, const Int *k, T *a, const Int *lda, const T *tau, T *work, const Int *lwork, Int *info)
#define ORGLQ_ARGUMENTS (m, n, k, a, lda, tau, work, lwork, info)
HETC_EXPORT_REAL(orglq, orglq, ORGLQ_PARAMETERS, ORGLQ_ARGUMENTS)
HETC_EXPORT_COMPLEX(unglq, orglq, ORGLQ_PARAMETERS, ORGLQ_ARGUMENTS)
