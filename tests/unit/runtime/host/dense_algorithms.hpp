// Textbook algorithms on dense matrices, with hand-written descriptions: what the checks and layouts are tested on.
// They compute where the tasks would be generated and have none.
#pragma once

#include <tla/runtime/algorithm.hpp>

namespace tla::test {

// T: float, double, std::complex<double>.

/// P A = L U with partial pivoting: plu(A, ipiv). A is m x n; ipiv is min(m, n) x 1; the workspace
/// W has a tile of 2 x nb for every tile of A. Returns info by a task that lets the run go on.
template <typename T> const runtime::Algorithm &luWithPivots();
/// lu(A) for a dominant m x n matrix.
template <typename T> const runtime::Algorithm &lu();
/// ldl(A), A in its lower triangle.
template <typename T> const runtime::Algorithm &ldl();
/// qr(A, apply(tau)): Householder reflectors as LAPACK's geqrf leaves them; tau is min(m, n) x 1.
template <typename T> const runtime::Algorithm &qr();
/// solve(A, B) for a general A.
template <typename T> const runtime::Algorithm &gesv();
/// least_squares(op, A, B)
template <typename T> const runtime::Algorithm &gels();
/// trsm(side, uplo, op, diag, alpha, A, B), and so on: A is n x n on the left, B and C are n x k.
template <typename T> const runtime::Algorithm &trsm();
template <typename T> const runtime::Algorithm &trmm();
template <typename T> const runtime::Algorithm &symm();
template <typename T> const runtime::Algorithm &hemm();
/// syrk(uplo, op, alpha, A, beta, C): C is n x n, op(A) n x k.
template <typename T> const runtime::Algorithm &syrk();
template <typename T> const runtime::Algorithm &herk();
template <typename T> const runtime::Algorithm &trtri();
template <typename T> const runtime::Algorithm &lauum();
template <typename T> const runtime::Algorithm &potri();
template <typename T> const runtime::Algorithm &inverse();

} // namespace tla::test
