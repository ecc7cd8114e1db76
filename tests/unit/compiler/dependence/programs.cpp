#include "tests/unit/compiler/dependence/programs.hpp"

#include "compiler/ir/verifier.hpp"
#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

namespace hetc::test {

const std::string cholesky = R"(
program cholesky(A) type d source "cholesky.tla" {
  size n
  LowerMatrix<d> A(n, n) input(spd) @6:15
  kernel tla::potrf<T>(uplo, rw A) returns info
  kernel tla::trsm<T>(side, uplo, op, diag, alpha, read A, rw B)
  kernel tla::herk<T>(uplo, op, alpha, read A, beta, rw C)
  kernel tla::gemm<T>(opA, opB, alpha, read A, read B, beta, rw C)

  for (int k = 0; k < A.nt(); ++k) @7:3 {
    task 0 tla::potrf(Lower, rw A(k, k)) @9:5
    for (int i = k + 1; i < A.mt(); ++i) @10:5 {
      task 1 tla::trsm(Right, Lower, ConjTrans, NonUnit, T(1), read A(k, k), rw A(i, k)) @12:7
    }
    for (int j = k + 1; j < A.nt(); ++j) @14:5 {
      task 2 tla::herk(Lower, NoTrans, -1, read A(j, k), 1, rw A(j, j)) @16:7
      for (int i_1 = j + 1; i_1 < A.mt(); ++i_1) @17:7 {
        task 3 tla::gemm(NoTrans, ConjTrans, T(-1), read A(i_1, k), read A(j, k), T(1), rw A(i_1, j)) @19:9
      }
    }
  }
}
)";

const std::string gemm = R"(
program gemm(opA, opB, alpha, A, B, beta, C) type d source "gemm.tla" {
  size m
  size n
  size k
  Matrix<d> A(opA == NoTrans ? m : k, opA == NoTrans ? k : m)
  Matrix<d> B(opB == NoTrans ? k : n, opB == NoTrans ? n : k)
  Matrix<d> C(m, n)
  Op opA = NoTrans
  Op opB = NoTrans
  T alpha = 1
  T beta = 1
  kernel tla::gemm<T>(opA, opB, alpha, read A, read B, beta, rw C)
  kernel tla::scal<T>(beta, rw C)

  for (int i = 0; i < C.mt(); ++i) {
    for (int j = 0; j < C.nt(); ++j) {
      if ((opA == NoTrans ? A.nt() : A.mt()) == 0) {
        task 0 tla::scal(beta, rw C(i, j))
      }
      for (int l = 0; l < (opA == NoTrans ? A.nt() : A.mt()); ++l) {
        if (opA == NoTrans && opB == NoTrans) {
          task 1 tla::gemm(opA, opB, alpha, read A(i, l), read B(l, j), l == 0 ? beta : T(1), rw C(i, j))
        } else if (opA == NoTrans) {
          task 2 tla::gemm(opA, opB, alpha, read A(i, l), read B(j, l), l == 0 ? beta : T(1), rw C(i, j))
        } else if (opB == NoTrans) {
          task 3 tla::gemm(opA, opB, alpha, read A(l, i), read B(l, j), l == 0 ? beta : T(1), rw C(i, j))
        } else {
          task 4 tla::gemm(opA, opB, alpha, read A(l, i), read B(j, l), l == 0 ? beta : T(1), rw C(i, j))
        }
      }
    }
  }
}
)";

const std::string posv = R"(
program posv(A, B) type d source "posv.tla" {
  size n
  size k
  LowerMatrix<d> A(n, n) input(spd)
  Matrix<d> B(n, k)
  kernel tla::potrf<T>(uplo, rw A) returns info
  kernel tla::trsm<T>(side, uplo, op, diag, alpha, read A, rw B)
  kernel tla::herk<T>(uplo, op, alpha, read A, beta, rw C)
  kernel tla::gemm<T>(opA, opB, alpha, read A, read B, beta, rw C)

  for (int k = 0; k < A.nt(); ++k) @7:3 {
    task 0 tla::potrf(Lower, rw A(k, k)) @9:5
    for (int i = k + 1; i < A.mt(); ++i) @10:5 {
      task 1 tla::trsm(Right, Lower, ConjTrans, NonUnit, T(1), read A(k, k), rw A(i, k)) @12:7
    }
    for (int j = k + 1; j < A.nt(); ++j) @14:5 {
      task 2 tla::herk(Lower, NoTrans, -1, read A(j, k), 1, rw A(j, j)) @16:7
      for (int i_1 = j + 1; i_1 < A.mt(); ++i_1) @17:7 {
        task 3 tla::gemm(NoTrans, ConjTrans, T(-1), read A(i_1, k), read A(j, k), T(1), rw A(i_1, j)) @19:9
      }
    }
  }
  for (int j_1 = 0; j_1 < B.nt(); ++j_1) {
    for (int k_1 = 0; k_1 < A.nt(); ++k_1) {
      task 4 tla::trsm(Left, Lower, NoTrans, NonUnit, T(1), read A(k_1, k_1), rw B(k_1, j_1))
      for (int i_2 = k_1 + 1; i_2 < A.mt(); ++i_2) {
        task 5 tla::gemm(NoTrans, NoTrans, T(-1), read A(i_2, k_1), read B(k_1, j_1), T(1), rw B(i_2, j_1))
      }
    }
    for (int k_2 = A.nt() - 1; k_2 >= 0; --k_2) {
      task 6 tla::trsm(Left, Lower, ConjTrans, NonUnit, T(1), read A(k_2, k_2), rw B(k_2, j_1))
      for (int i_3 = 0; i_3 < k_2; ++i_3) {
        task 7 tla::gemm(ConjTrans, NoTrans, T(-1), read A(k_2, i_3), read B(k_2, j_1), T(1), rw B(i_3, j_1))
      }
    }
  }
}
)";

const std::string qr = R"(
program qr(A) type d source "qr.tla" {
  size m
  size n
  Matrix<d> A(m, n)
  Workspace<d> T(A.mt(), A.nt(), A.nb(), A.nb())
  kernel tla::geqrt<T>(rw A, write T)
  kernel tla::unmqr<T>(read V, read T, rw C)
  kernel tla::tsqrt<T>(rw R, rw A, write T)
  kernel tla::tsmqr<T>(rw C1, rw C2, read V, read T)

  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    task 0 tla::geqrt(rw A(k, k), write T(k, k))
    for (int j = k + 1; j < A.nt(); ++j) {
      task 1 tla::unmqr(read A(k, k).lower(), read T(k, k), rw A(k, j))
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      task 2 tla::tsqrt(rw A(k, k).upper(), rw A(i, k), write T(i, k))
      for (int j_1 = k + 1; j_1 < A.nt(); ++j_1) {
        task 3 tla::tsmqr(rw A(k, j_1), rw A(i, j_1), read A(i, k), read T(i, k)) 
      }
    }
  }
}
)";

std::string around(const std::string &statements) {
  return R"(program test(A, L, p) type d source "test.tla" {
  size m
  size n
  Matrix<d> A(m, n)
  LowerMatrix<d> L(n, n)
  Workspace<d> W(A.mt(), A.nt(), A.nb(), A.nb())
  int p
  kernel f<T>(rw a)
  kernel g<T>(read a, rw b)
  kernel w<T>(write a)
  kernel r<T>(read a, write b)
  kernel h<T>(rw panel a)
  kernel c<T>(read panel a, rw b)
)" + statements +
         "}\n";
}

ir::Program parse(const std::string &text) {
  auto parsed = ir::parse(text);
  if (auto *error = std::get_if<ir::ParseError>(&parsed)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->message << "\n" << text;
    return {};
  }
  EXPECT_EQ(ir::verify(std::get<ir::Program>(parsed)), "") << text;
  return std::move(std::get<ir::Program>(parsed));
}

} // namespace hetc::test
