// Programs that several tests share, as IR text.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>

namespace hetc::test {

extern const std::string cholesky; ///< tasks 0 potrf, 1 trsm, 2 herk, 3 gemm
extern const std::string gemm;     ///< tasks 0 scal, 1 to 4 gemm for the four pairs of opA and opB
extern const std::string posv;     ///< cholesky, then tasks 4 to 7: trsm and gemm of both solves
extern const std::string qr;       ///< tasks 0 geqrt, 1 unmqr, 2 tsqrt, 3 tsmqr; A by halves, workspace T

/// A program on matrices A (m x n), L (n x n, lower), W (workspace of A.mt() x A.nt() tiles) and an int p, around these
/// statements. Kernels: f(rw), g(read, rw), w(write), r(read, write), h(rw panel), c(read panel, rw).
std::string around(const std::string &statements);

/// Parses and verifies; fails the test and returns an empty program if the text is wrong.
ir::Program parse(const std::string &text);

} // namespace hetc::test
