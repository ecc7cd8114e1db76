// RUN: %hetc --emit=ir --algorithm sweep %s | FileCheck %s --check-prefix=SWEEP
// RUN: %hetc check --algorithm sweep %s
// RUN: %hetc --emit=ir --algorithm rotate %s | FileCheck %s --check-prefix=ROTATE
// RUN: %hetc --emit=ir --algorithm fixed %s | FileCheck %s --check-prefix=FIXED
// RUN: %hetc --emit=ir --algorithm nested %s | FileCheck %s --check-prefix=NESTED
// RUN: %hetc --emit=ir --algorithm steps %s | FileCheck %s --check-prefix=STEPS
#include <tla/tla.hpp>
#include <utility>

// Two buffers: which of them a name means follows from how often the loop has gone on.
#pragma tla algorithm requires(sweeps >= 0, m >= 1, n >= 1)
template <typename T> void sweep(int sweeps, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  tla::Matrix<T> from = A, to = W;
  for (int s = 0; s < sweeps; ++s) {
    for (int j = 0; j < from.nt(); ++j)
      for (int i = 0; i < to.mt(); ++i) {
        #pragma tla task priority(from.mt() - i) at(to(i, j))
        geadd(T(2), from(i, j), T(0), to(i, j));
      }
    std::swap(from, to);
    #pragma tla task
    scal(T(3), from(0, 0));
  }
  if (sweeps % 2 != 0)
    for (int j = 0; j < A.nt(); ++j)
      for (int i = 0; i < A.mt(); ++i) {
        #pragma tla task release(from(i, j))
        geadd(T(1), from(i, j), T(0), A(i, j));
      }
}
// SWEEP: for (int s = 0; s < sweeps; ++s)
// SWEEP-NEXT: for (int j = 0; j < A.nt(); ++j)
// SWEEP-NEXT: for (int i = 0; i < W.mt(); ++i)
// SWEEP-NEXT: if (s % 2 == 0)
// SWEEP-NEXT: task 0 tla::geadd(T(2), read A(i, j), T(0), write W(i, j)) priority(A.mt() - i)
// SWEEP-NEXT: } else {
// SWEEP-NEXT: task 1 tla::geadd(T(2), read W(i, j), T(0), write A(i, j)) priority(A.mt() - i)
// SWEEP: if (s % 2 == 0)
// SWEEP-NEXT: task 2 tla::scal(T(3), rw W(0, 0))
// SWEEP: task 3 tla::scal(T(3), rw A(0, 0))
// SWEEP: if (sweeps % 2 != 0)
// SWEEP: if (max(0, sweeps) % 2 == 0)
// SWEEP-NEXT: task 4 tla::geadd(T(1), read A(i_1, j_1), T(0), write A(i_1, j_1))
// SWEEP: task 5 tla::geadd(T(1), read W(i_1, j_1), T(0), write A(i_1, j_1)) release(W(i_1, j_1))

// Three, one after the other; the loop counts down.
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n))
template <typename T> void rotate(int turns, tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int t = turns; t > 0; --t) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), A(0, 0), B(0, 0), T(1), C(0, 0));
    swap(A, B);
    tla::swap(B, C);
  }
  #pragma tla task
  scal(T(2), A(0, 0));
}
// ROTATE: for (int t = turns; t > 0; --t)
// ROTATE-NEXT: if ((turns - t) % 3 == 0)
// ROTATE-NEXT: task 0 tla::gemm(NoTrans, NoTrans, T(1), read A(0, 0), read B(0, 0), T(1), rw C(0, 0))
// ROTATE-NEXT: } else if ((turns - t) % 3 == 1)
// ROTATE-NEXT: task 1 tla::gemm(NoTrans, NoTrans, T(1), read B(0, 0), read C(0, 0), T(1), rw A(0, 0))
// ROTATE: task 2 tla::gemm(NoTrans, NoTrans, T(1), read C(0, 0), read A(0, 0), T(1), rw B(0, 0))
// ROTATE: if (max(0, turns) % 3 == 0)
// ROTATE-NEXT: task 3 tla::scal(T(2), rw A(0, 0))
// ROTATE-NEXT: } else if (max(0, turns) % 3 == 1)
// ROTATE-NEXT: task 4 tla::scal(T(2), rw B(0, 0))
// ROTATE: task 5 tla::scal(T(2), rw C(0, 0))

// Outside of loops, and behind loops of which the number of iterations is known: no case is left.
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void fixed(tla::Matrix<T> A, tla::Matrix<T> B) {
  swap(A, B);
  #pragma tla task
  scal(T(2), A(0, 0));
  for (int s = 7; s >= 1; s -= 3)
    swap(A, B);
  #pragma tla task
  scal(T(3), A(0, 0));
}
// FIXED: task 0 tla::scal(T(2), rw B(0, 0))
// FIXED-NOT: {{^ *if}}
// FIXED: task 1 tla::scal(T(3), rw A(0, 0))

// In a loop around, by names of its own; what the algorithm that is called swaps stays its own affair.
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void both(tla::Matrix<T> A, tla::Matrix<T> B) {
  swap(A, B);
  #pragma tla task
  scal(T(5), A(0, 0));
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void nested(int turns, tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 0; k < A.nt(); ++k) {
    auto X = A, Y = B;
    for (int t = k; t <= turns; t += 2)
      swap(X, Y);
    both(X, Y);
  }
  #pragma tla task
  scal(T(7), A(0, 0));
}
// No difference of two ints is computed that may be none.
// NESTED: if ((k <= turns ? turns / 2 - (turns % 2 < 0 ? 1 : 0) - (k / 2 - (k % 2 < 0 ? 1 : 0)) - ((turns % 2 + 2) % 2 < (k % 2 + 2) % 2 ? 1 : 0) + 1 : 0) % 2 == 0)
// NESTED-NEXT: task 0 tla::scal(T(5), rw B(0, 0))
// NESTED: task 1 tla::scal(T(5), rw A(0, 0))
// NESTED: task 2 tla::scal(T(7), rw A(0, 0))

#pragma tla algorithm shape(A(n, n), B(n, k))
template <typename T> void steps(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 1; k < 9; k += 2) {
    #pragma tla task
    scal(T(A.nt()), A(0, 0));
    swap(A, B);
  }
}
// STEPS: if ((k - 1) / 2 % 2 == 0)
// STEPS-NEXT: task 0 tla::scal(T((k - 1) / 2 % 2 == 0 ? A.nt() : B.nt()), rw A(0, 0))
