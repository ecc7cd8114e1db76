// Singular values with vectors on tiles, for gesdd and gesvd: a run of algorithms/gesvd.tla, in double.
#pragma once

#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/tiles.hpp"

#include <tla/runtime/memory.hpp>

#include <algorithm>

namespace tla::lapack {

/// The smallest min(m, n) whose vectors are computed on tiles, against OpenBLAS 0.3.21 on two busy cores: 1.17 times as
/// fast at 1000, 1.27 times at 2000.
constexpr int vectorsTiledFrom = 1000;

/// Says which singular vectors a call asks for, and where they go.
template <typename T> struct WantedVectors {
  bool none, economic; ///< economic: min(m, n) of each side
  T *u;
  long ldu;
  T *vt;
  long ldvt;
  long leastWork; ///< LWORK with which LAPACK's routine takes any such problem
};

/// Writes the min(m, n) singular values of A to s and their vectors to U and VT; A stays. Throws NotStarted where it
/// has not done so.
template <typename T>
void singularVectors(Tiles &tiles, const T *a, long m, long n, long lda, RealType<T> *s, const WantedVectors<T> &to) {
  if constexpr (std::is_same_v<T, double>) {
    const long k = std::min(m, n), larger = std::max(m, n);
    const double needed = (14.0 * k * k + 4.0 * larger * k) * sizeof(T); // an estimate, of workspaces and copies
    if (needed > host::availableBytes())
      throw NotStarted("too little memory");
    if (tiles.run(algorithm::gesvd(), {tiles.general(a, m, n, lda), tiles.general(s, k, 1, k),
                                       tiles.general(to.u, m, k, to.ldu), tiles.general(to.vt, k, n, to.ldvt)}))
      throw NotStarted("singular values did not converge on tiles");
  } else {
    throw NotStarted("singular vectors are wanted, which are computed on tiles in double");
  }
}

} // namespace tla::lapack
