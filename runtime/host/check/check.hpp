// Judging a result: scaled residuals as in LAPACK's test programs.
#pragma once

#include "runtime/host/problem/problem.hpp"

namespace tla::host {

/// A result passes when its scaled residual is at most this, as in LAPACK's test programs [LAPACK Working Note 41].
inline constexpr double residualThreshold = 30;

struct Verdict {
  bool judged = false; ///< false: no check was asked for, or the algorithm names none
  double residual = 0; ///< may be NaN
  bool passed = false; ///< residual <= threshold; NaN fails
  std::string cause;   ///< possible cause of a failure in the numbers' range; else empty
};

/// Throws UsageError when the algorithm's check is unknown or its arguments do not fit, before any work is done.
void requireKnownCheck(const runtime::Algorithm &algorithm);

/// The residual of the algorithm's check, from the matrices as the run left them and their sources. A0, B0, C0 are the
/// matrices before the run, eps the unit roundoff, |.| the 1-norm; each formula is that of the named LAPACK test
/// routine or, for products, of the testers of BLAS++ and SLATE. A triangular, Hermitian or symmetric operand that is a
/// general matrix has its elements in the triangle `uplo`; the other is not looked at.
///
///   llt(A)           |A0 - L L^H| / (n |A0| eps), dpot01; infinite when L has a zero on its diagonal: A was not
///                    positive definite
///   ldl(A)           |A0 - L D L^H| / (n |A0| eps), dsyt01, L unit lower triangular
///   lu(A)            |A0 - L U| / (n |A0| eps), dget01; A is m x n
///   plu(A, ipiv)     |A0 - P L U| / (n |A0| eps), dget01; infinite when ipiv is not LAPACK's
///   qr(A, apply)     the larger of |A0 - Q R| / (m |A0| eps) and |I - Q^H Q| / (m eps), dqrt01, and of how much Q
///                    changes the length of a vector, likewise scaled; `apply` calls the algorithm that applies Q
///   solve(A, B)      max over columns of |b - A0 x| / (|A0| |x| eps), dpot02 and dget02; infinite when A0 = 0
///   potrs(L, B)      max over columns of |b - L L^H x| / (| |L| |L|^H | |x| eps), as dtrt02 for two solves
///   least_squares(op, A, B), with F = op(A0), p x q: B has max(p, q) rows, b is in the first p before, x in the first
///                    q after the run. For p >= q max over columns of |F^H (b - F x)| / (max(p, q) |F| (|F| |x| + |b|)
///                    eps), dqrt17; for p < q the larger of |b - F x| / (max(p, q) |F| |x| eps), dqrt16, and of what of
///                    x is outside the range of F^H over max(p, q) |x| eps, dqrt14: this takes 4 p^2 q operations, and
///                    Probe does it when p^2 q <= 10^9
///   gemm(opA, opB, alpha, A, B, beta, C)
///                    |C - (alpha P Q + beta C0)| / ((sqrt(k + 2) |alpha| |P| |Q| + 2 |beta| |C0|) eps), P is m x k
///   symm, hemm(side, uplo, alpha, A, B, beta, C); syrk, herk(uplo, op, alpha, A, beta, C);
///   trmm(side, uplo, op, diag, alpha, A, B)
///                    the same, with their own P, Q and C
///   trsm(side, uplo, op, diag, alpha, A, B)
///                    |alpha B0 - op(A) X| (or X op(A)) / (|A| |X| eps), dtrt02 for all columns as one
///   trtri(uplo, diag, A), inverse(A)
///                    |I - A0 A| / (n |A0| |A| eps), dtrt01, dget03
///   user(f(...))     what the author's algorithm f writes to its last argument, a 1 x 1 matrix; its absolute value.
///   The
///                    others are parameters of the algorithm as the run left them, before(A) for a copy of A as it was
///                    before, and constants
///   potri(uplo, A)   |I - L L^H A| / (n | |L| |L|^H | |A| eps), dpot03; A0 holds L or L^H. Of graded matrices this
///   says
///                    little, and so does trtri's: where sums of rows differ by 2^10 the larger of this and of the same
///                    for matrices that are scaled by powers of two, so that these sums are near 1
///   lauum(uplo, A)   |A - L^H L| / (n |A| eps), or with U U^H, dpot01
///
/// Mode Full computes these numbers, in O(n^3) work. Mode Probe computes lower estimates in O(n^2) work: the norm of
/// the error E is replaced by max |E^H x| over a few fixed vectors x of entries +-1, which never exceeds |E|, since the
/// entries of E^H x are sums over the columns of E with signs (up to the rounding of the check itself). One wrong
/// element shows in full. Both modes use their own loops, none of the kernels under test but where Q is applied, and
/// give the same number on any number of threads; on several ranks, on each.
///
/// Nothing over- or underflows in these formulas: they are computed in double precision, and again with 15 bits of
/// exponent where that was not enough (NumberRange). 0 / 0 is 0: all that is compared is zero, and so is the error.
/// What is not finite fails, and so does what no number of the element type can be; Verdict::cause says so then.
Verdict checkResult(const Problem &problem, CheckMode mode, const Team &team);

} // namespace tla::host
