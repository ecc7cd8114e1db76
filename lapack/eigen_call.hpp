// What the drivers of Hermitian eigenvalue problems have in common.
#pragma once

#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/eigen_solver.hpp"
#include "lapack/environment.hpp"

namespace tla::lapack {

// The smallest orders that are computed on tiles, against OpenBLAS 0.3.21 on two cores of an EPYC. Eigenvalues: level
// at 1000 to 2000, 1.2 times as fast at 2500, 1.6 at 3000, 2.3 at 4000. Eigenvectors: 0.85 as fast at 2500, level at
// 3000, 1.27 times at 4000; that more threads gain more is taken from simulated runs.
inline constexpr int eigenvaluesTiledFrom = 1000, eigenvectorsTiledFrom = 1500;
inline constexpr int manyThreads = 4, eigenvectorsOnFewThreadsTiledFrom = 3000;

/// True for eigenvectors that LAPACK has sooner than so few threads. HETC_MIN_N speaks for all numbers of threads.
inline bool isForMoreThreads(long n, bool vectors, int threads) {
  return vectors && threads < manyThreads && n < eigenvectorsOnFewThreadsTiledFrom && !environment().minN;
}

/// LAPACK's name of a driver for Hermitian matrices: "dsyevd" and "zheevd" for "evd".
template <typename T> std::string hermitian(const char *driver) {
  return letter<T> + std::string(isComplex<T> ? "he" : "sy") + driver;
}

inline bool isVectors(const char *jobz) { return is(jobz, 'V'); }
inline bool isJobz(const char *jobz) { return is(jobz, 'N') || is(jobz, 'V'); }

struct EigenCall {
  std::string routine;
  Origin origin;
  bool vectors;
  bool isLegal; ///< arguments and workspaces are as LAPACK asks; else its own routine says which is not
  long n, lda;
  bool query;
};

/// perform() of call.hpp for one of these drivers. `onTiles` returns info, and is called for legal arguments only.
template <typename T, typename Int>
void performEigen(const EigenCall &call, FunctionRef<void()> passOn, FunctionRef<int(Tiles &)> onTiles, Int *info) {
  perform({.routine = call.routine,
           .sizes = {{"n", call.n}},
           .leading = {call.lda},
           .least = call.n <= 1 ? 0 : call.n,
           .tiledFrom = call.vectors ? eigenvectorsTiledFrom : eigenvaluesTiledFrom,
           .requirements = {}, // which differ between versions of LAPACK: its own routine looks at them
           .origin = call.origin,
           .work = {algorithm::heev_values<T>(), {.n = call.n}},
           .largestTile = eigenTile(call.n),
           .partsOnTiles = true,
           .passOn = passOn,
           .onTiles = [&](Tiles &tiles) -> int {
             if (!call.isLegal)
               throw NotStarted("illegal arguments or little workspace");
             if (isForMoreThreads(call.n, call.vectors, tiles.threads()))
               throw NotStarted("eigenvectors on fewer than 4 threads, smaller than 3000");
             return onTiles(tiles);
           },
           .query = call.query},
          info);
}

} // namespace tla::lapack
