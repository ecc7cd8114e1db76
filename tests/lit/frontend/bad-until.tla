// RUN: not %hetc check --algorithm inner %s 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not %hetc check --algorithm plain %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not %hetc check --algorithm twice %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %hetc check --algorithm moving %s 2>&1 | FileCheck %s --check-prefix=MOVING
// RUN: not %hetc check --algorithm uncounted %s 2>&1 | FileCheck %s --check-prefix=UNCOUNTED
// RUN: not %hetc check --algorithm chosen %s 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: not %hetc check --algorithm swaps %s 2>&1 | FileCheck %s --check-prefix=SWAPS
// RUN: not %hetc check --algorithm unwritten %s 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not %hetc check --algorithm later %s 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: not %hetc check --algorithm judged %s 2>&1 | FileCheck %s --check-prefix=JUDGED
// RUN: not %hetc check --algorithm decides %s 2>&1 | FileCheck %s --check-prefix=DECIDES
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n))
template <typename T> void inner(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < k; ++i) {
      #pragma tla task
      scal(T(2), A(i, k));
// INNER: bad-until.tla:[[@LINE+2]]:7: error: a loop ends early by 'if (tla::value(r) < tolerance) break;' directly in the body of an outermost loop, where r is a matrix or workspace that its tasks write
// MEND: only an outermost loop ends early; give the inner one a bound of its own
      if (tla::value(A) > T(2)) break;
    }
}
#pragma tla algorithm shape(A(n, n))
template <typename T> void plain(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scal(T(2), A(k, k));
    if (k > 3)
// PLAIN: bad-until.tla:[[@LINE-1]]:5: error: a loop ends early by 'if (tla::value(r) < tolerance) break;' directly in the body of an outermost loop
// MEND: a condition of loop variables belongs into the loop's bound, or around the tasks: if (k <= 3)
      break;
  }
}
#pragma tla algorithm shape(A(n, n))
template <typename T> void twice(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scal(T(2), A(0, 0));
    if (tla::value(A) > T(2)) break;
// TWICE: bad-until.tla:[[@LINE+2]]:5: error: a program ends one loop early, once: there is another such break before
// MEND: reduce both to one number by a kernel, and test that
    if (tla::value(A) < T(-2)) break;
  }
}
#pragma tla algorithm shape(A(n, n))
template <typename T> void moving(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scal(T(2), A(0, 0));
// MOVING: bad-until.tla:[[@LINE+2]]:5: error: what the value is compared with consists of constants and scalar parameters
// MEND: scale the value by a kernel, and compare with a constant
    if (tla::value(A) > T(k)) break;
  }
}
#pragma tla algorithm shape(A(n, n))
template <typename T> void uncounted(tla::Matrix<T> A) {
// UNCOUNTED: bad-until.tla:[[@LINE+2]]:3: error: a loop that ends early counts by a constant, i < end, ++i or the like, to an end that does not change
// MEND: count iterations, for (int s = 0; s < steps; ++s), and let the element end them
  for (int k = 1; k < A.nt(); k *= 2) {
    #pragma tla task
    scal(T(2), A(0, 0));
    if (tla::value(A) > T(2)) break;
  }
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void chosen(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int k = 0; k < A.nt(); ++k) {
    const auto X = k % 2 == 0 ? A : B;
    #pragma tla task
    scal(T(2), X(0, 0));
// CHOSEN: bad-until.tla:[[@LINE+2]]:5: error: which matrix this asks is decided by a loop or a swap: give the value a matrix of its own
// MEND: tla::Workspace<T> r(1, 1, 1, 1), which a kernel writes from X
    if (tla::value(X) > T(2)) break;
  }
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void swaps(tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> r(1, 1, 1, 1);
  tla::Matrix<T> X = A, Y = B;
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    laset(T(0), T(0), r(0, 0));
// SWAPS: bad-until.tla:[[@LINE+2]]:5: error: the swaps of a loop that ends early all stand before the break, or behind it
// MEND: move the first swap behind the break
    swap(X, Y);
    if (tla::value(r) > T(2)) break;
    swap(X, Y);
  }
  #pragma tla task
  scal(T(2), X(0, 0));
}
#pragma tla algorithm shape(A(n, n)) requires(n >= 1)
template <typename T> void unwritten(tla::Matrix<T> A) {
  tla::Workspace<T> r(1, 1, 1, 1);
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scal(T(2), A(0, 0));
// UNWRITTEN: bad-until.tla:[[@LINE+2]]:5: error: for iterations of the loop that ends early = 1, k = 0 (r has 1 x 1 tiles) this reads r(0, 0), which no earlier task wrote
// MEND: a task of the iteration writes r before the test
    if (tla::value(r) > T(2)) break;
  }
}
// What the second iteration writes may not be there.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1)
template <typename T> void later(int rounds, tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int k = 0; k < rounds; ++k) {
    #pragma tla task
    scal(T(2), A(0, 0));
    if (tla::value(A) > T(2)) break;
    if (k == 0) {
      #pragma tla task
      laset(T(0), T(0), W(0, 0));
    }
  }
  #pragma tla task
// LATER: bad-until.tla:[[@LINE+2]]:15: error: for rounds = 0, iterations of the loop that ends early = 1 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote
// MEND: write W before the loop, or before the test
  geadd(T(1), W(0, 0), T(0), A(0, 0));
}
#pragma tla algorithm shape(r(1, 1))
template <typename T> void judge(tla::Matrix<T> A, tla::Matrix<T> r) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    laset(T(0), T(0), r(0, 0));
    if (tla::value(r) < T(2)) break;
  }
}
// JUDGED: error: 'judge', which the check calls, ends a loop early: a check computes the same whatever the elements are
// MEND: give the check's algorithm loops that no element ends
#pragma tla algorithm shape(A(n, n)) check(user(judge(A)))
template <typename T> void judged(tla::Matrix<T> A) {
  #pragma tla task
  laset(T(0), T(0), A(0, 0));
}
#pragma tla algorithm shape(A(n, n))
template <typename T> void decides(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
// DECIDES: bad-until.tla:[[@LINE+2]]:9: error: an element ends an outermost loop, by 'if (tla::value(r) < tolerance) break;' directly in its body, and decides nothing else
// MEND: let a kernel look at the element, and do what depends on it
    if (tla::value(A) > T(0)) {
      #pragma tla task
      scal(T(2), A(k, k));
    }
}
