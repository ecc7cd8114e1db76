// What the drivers of Hermitian eigenvalue problems have in common.
#pragma once

#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/eigen_solver.hpp"

namespace tla::lapack {

// The smallest orders that are computed on tiles.
inline constexpr int eigenvectorsTiledFrom = 1000, eigenvaluesTiledFrom = 600;

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
             return onTiles(tiles);
           },
           .query = call.query},
          info);
}

} // namespace tla::lapack
