// Matrices of a given condition number: the generators random(c), spd(c) and hermitian(c).
#pragma once

#include "runtime/host/files/matrix_source.hpp"

#include <cstdint>
#include <memory>

namespace tla::host {

/// How the diagonal D of singular values, or eigenvalues, and the two reflectors around it are made.
enum class Spectrum { Singular, Positive, Alternating };

/// A = H(u) D H(v), with Householder reflectors H(x) = I - 2 x x^H of random unit vectors and D = diag(c^(-k/(p-1))),
/// k = 0 .. p - 1, p = min(rows, columns): the geometric distribution that LAPACK's test matrices have with MODE = 3
/// (dlatms), so that |A|_2 = 1 and the 2-norm condition is c. Positive and Alternating: v = u, and the eigenvalues are
/// those of D, every second one negative when they alternate. Setting it up takes O(rows + columns), an element O(1).
/// Elements are computed in double precision, whatever the type. c >= 1.
std::unique_ptr<MatrixSource> makeConditioned(std::string text, Spectrum spectrum, double condition, ElementType type,
                                              long rows, long columns, std::uint64_t key);

} // namespace tla::host
