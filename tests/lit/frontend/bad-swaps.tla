// RUN: not %hetc check --algorithm inIf %s 2>&1 | FileCheck %s --check-prefix=IF
// RUN: not %hetc check --algorithm inInner %s 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not %hetc check --algorithm doubling %s 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not %hetc check --algorithm strange %s 2>&1 | FileCheck %s --check-prefix=END
// RUN: not %hetc check --algorithm sized %s 2>&1 | FileCheck %s --check-prefix=END2
// RUN: not %hetc check --algorithm referred %s 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not %hetc check --algorithm one %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %hetc check --algorithm many %s 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %hetc check --algorithm cases %s 2>&1 | FileCheck %s --check-prefix=CASES
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void inIf(int c, tla::Matrix<T> A, tla::Matrix<T> B) {
  if (c > 0)
// IF: bad-swaps.tla:[[@LINE+1]]:5: error: a swap stands directly in the body of a loop, right outside of which both names are declared, or where they are declared themselves; for other cases choose the matrix by a condition: const auto X = k % 2 == 0 ? A : B
    swap(A, B);
  #pragma tla task
  scal(T(2), A(0, 0));
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void inInner(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 0; k < A.nt(); ++k)
    for (int t = 0; t < k; ++t) {
// INNER: bad-swaps.tla:[[@LINE+1]]:7: error: a swap stands directly in the body of a loop, right outside of which both names are declared, or where they are declared themselves; for other cases choose the matrix by a condition: const auto X = k % 2 == 0 ? A : B
      swap(A, B);
    }
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void doubling(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 1; k < A.nt(); k *= 2) {
// STEP: bad-swaps.tla:[[@LINE+1]]:5: error: a loop with a swap in its body goes on by a constant: ++i, i += 2, or the like
    swap(A, B);
  }
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void strange(int last, tla::Matrix<T> A, tla::Matrix<T> B) {
// END: bad-swaps.tla:[[@LINE+1]]:3: error: a loop with a swap in its body has a condition that says how often it goes on: i < end, or the like, with an end that does not change
  for (int k = 0; k < last && k < A.nt(); ++k)
    swap(A, B);
}
#pragma tla algorithm shape(A(n, n), B(n, k))
template <typename T> void sized(tla::Matrix<T> A, tla::Matrix<T> B) {
// END2: bad-swaps.tla:[[@LINE+1]]:3: error: a loop with a swap in its body has a condition that says how often it goes on: i < end, or the like, with an end that does not change
  for (int k = 0; k < A.nt(); ++k)
    swap(A, B);
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void referred(tla::Matrix<T> A, tla::Matrix<T> B) {
  const auto &X = A;
// REFERENCE: bad-swaps.tla:[[@LINE+1]]:3: error: 'A' is a reference, or has one: swap names that are copies, as in tla::Matrix<T> X = A
  swap(A, B);
  #pragma tla task
  scal(T(2), X(0, 0));
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void one(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 0; k < A.nt(); ++k) {
    auto X = A;
// ONE: bad-swaps.tla:[[@LINE+1]]:5: error: a swap stands directly in the body of a loop, right outside of which both names are declared, or where they are declared themselves; for other cases choose the matrix by a condition: const auto X = k % 2 == 0 ? A : B
    swap(X, B);
  }
}
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n), D(n, n), E(n, n))
template <typename T>
void many(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C, tla::Matrix<T> D, tla::Matrix<T> E) {
  tla::Workspace<T> U(1, 1, 1, 1), V(1, 1, 1, 1);
  tla::Matrix<T> F = U, G = V;
  for (int k = 0; k < A.nt(); ++k) {
// MANY: bad-swaps.tla:[[@LINE+1]]:5: error: the swaps of this loop bring back what was after 7 iterations; at most 6 are known
    swap(A, B);
    swap(B, C);
    swap(C, D);
    swap(D, E);
    swap(E, F);
    swap(F, G);
  }
}
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1)
template <typename T>
void cases(int a, int b, int c, int d, int e, int f, int g, int h, int i, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Matrix<T> X = A, Y = B;
  for (int s = 0; s < a; ++s)
    swap(X, Y);
  for (int s = 0; s < b; ++s)
    swap(X, Y);
  for (int s = 0; s < c; ++s)
    swap(X, Y);
  for (int s = 0; s < d; ++s)
    swap(X, Y);
  for (int s = 0; s < e; ++s)
    swap(X, Y);
  for (int s = 0; s < f; ++s)
    swap(X, Y);
  for (int s = 0; s < g; ++s)
    swap(X, Y);
  for (int s = 0; s < h; ++s)
    swap(X, Y);
  for (int s = 0; s < i; ++s)
    swap(X, Y);
// CASES: bad-swaps.tla:[[@LINE+2]]:3: error: this task is one of more than 256: so many combinations of matrices may its names stand for here; give what one loop swaps names of its own, or swap back
  #pragma tla task
  scal(T(2), X(0, 0));
}
// MEND: Choose the matrix by a condition in place of the swap: `const auto X = k % 2 == 0 ? A : B`.
// MEND: Choose the matrix by a condition in place of the swap: `const auto X = k % 2 == 0 ? A : B`.
// MEND: Let the loop go on by a constant, or choose the matrix by a condition.
// MEND: Give the loop a condition such as `k < end`, with an end that the loop does not change.
// MEND: Give both matrices one shape, or end the loop at a size that the swap does not change.
// MEND: Swap names that are copies, `tla::Matrix<T> X = A`.
// MEND: Choose the matrix by a condition in place of the swap: `const auto X = k % 2 == 0 ? A : B`.
// MEND: Swap fewer names in one loop.
// MEND: Give what each loop swaps names of its own, or swap back behind the loop.
