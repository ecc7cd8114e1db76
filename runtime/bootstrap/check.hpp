// Judging a result: scaled residuals as in LAPACK's test programs.
#pragma once

#include "runtime/bootstrap/problem.hpp"

namespace tla::bootstrap {

/// A result passes when its scaled residual is at most this, as in LAPACK's test programs [LAPACK Working Note 41].
inline constexpr double residualThreshold = 30;

struct Verdict {
  bool judged = false; ///< false: no check was asked for, or the algorithm names none
  double residual = 0; ///< may be NaN
  bool passed = false; ///< residual <= threshold; NaN fails
};

/// Throws UsageError when the algorithm's check is unknown or its arguments do not fit, before any work is done.
void requireKnownCheck(const runtime::Algorithm &algorithm);

/// The residual of the algorithm's check, from the matrices as the run left them and their sources. With eps the
/// unit roundoff and |.| the 1-norm:
///
///   llt(A)       |A - L L^H| / (n |A| eps), as LAPACK's dpot01; infinite when L has a zero on its diagonal: A was not
///                positive definite
///   solve(A, B)  max over columns of |b - A x| / (|A| |x| eps), as dpot02; infinite when A = 0
///   potrs(L, B)  max over columns of |b - L L^H x| / (| |L| |L|^H | |x| eps), as dtrt02 for two solves
///   gemm(opA, opB, alpha, A, B, beta, C)
///                |C - (alpha op(A) op(B) + beta C0)|
///                  / ((sqrt(k + 2) |alpha| |op(A)| |op(B)| + 2 |beta| |C0|) eps), as the testers of BLAS++ and SLATE
///
/// Mode Full computes these numbers. Mode Probe computes lower estimates in O(n^2) work: the norm of the error E is
/// replaced by max |E^H x| over a few fixed vectors x of entries +-1, which never exceeds |E|, since the entries
/// of E^H x are sums over the columns of E with signs (up to the rounding of the check itself). One wrong element
/// shows in full. Both modes use their own loops, none of the kernels under test, in double precision, and give the
/// same number on any number of threads.
Verdict checkResult(const Problem &problem, CheckMode mode, runtime::Executor &executor);

} // namespace tla::bootstrap
