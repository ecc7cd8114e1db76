// Programs in the IR's text form that several tests use.
#pragma once

#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

namespace hetc::ir::test {

inline const std::string cholesky = R"(program cholesky(A) type d source "algorithms/cholesky.tla" {
  size n
  LowerMatrix<d> A(n, n) input(spd) @6:32
  check llt(A)
  kernel tla::potrf<T>(uplo, rw A) returns info flops(A.n() * A.n() * A.n() / 3.0) @"tla/kernels/kernels.hpp":15:27
  kernel tla::trsm<T>(side, uplo, op, diag, alpha, read A, rw B)
  kernel tla::herk<T>(uplo, op, alpha, read A, beta, rw C)
  kernel tla::gemm<T>(opA, opB, alpha, read A, read B, beta, rw C)

  for (int k = 0; k < A.nt(); ++k) @7:3 {
    task 0 tla::potrf(Lower, rw A(k, k)) @9:5 (18)
    for (int i = k + 1; i < A.mt(); ++i) @10:5 {
      task 1 tla::trsm(Right, Lower, ConjTrans, NonUnit, T(1), read A(k, k), rw A(i, k)) derived priority(-k) @12:7 (53, 62)
    }
    for (int j = k + 1; j < A.nt(); ++j) @14:5 {
      task 2 tla::herk(Lower, NoTrans, -1, read A(j, k), 1, rw A(j, j)) @16:7 (32, 44)
      for (int i_2 = j + 1; i_2 < A.mt(); ++i_2) @17:7 {
        task 3 tla::gemm(NoTrans, ConjTrans, T(-1), read A(i_2, k), read A(j, k), T(1), rw A(i_2, j)) @19:9 (41, 50, 65)
      }
    }
  }
}
)";

/// The program, or a failed test.
inline Program parsed(const std::string &text) {
  auto result = parse(text);
  if (const auto *error = std::get_if<ParseError>(&result)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->message;
    return {};
  }
  return std::move(std::get<Program>(result));
}

/// A program over m x n matrices A and B, a lower L (n x n) and a workspace W; kernels f(rw), g(read, rw), h(write),
/// p(read panel, rw).
inline Program withBody(const std::string &body) {
  return parsed(R"(program test(A, B, L, s) type d source "test.tla" {
  size m
  size n
  Matrix<d> A(m, n)
  Matrix<d> B(m, n)
  LowerMatrix<d> L(n, n)
  Workspace<d> W(A.mt(), A.nt(), A.mb(), A.nb())
  int s = 2
  kernel f<T>(rw X)
  kernel g<T>(read X, rw Y)
  kernel h<T>(write X)
  kernel p<T>(read panel X, rw Y)
)" + body + "}\n");
}

} // namespace hetc::ir::test
