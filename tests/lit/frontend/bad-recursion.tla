// RUN: not %hetc check --algorithm scaled %s 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %hetc check --algorithm weighted %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %hetc check --algorithm chosen %s 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not %hetc check --algorithm scratch %s 2>&1 | FileCheck %s --check-prefix=WORKSPACE
// RUN: not %hetc check --algorithm breaks %s 2>&1 | FileCheck %s --check-prefix=BREAK
// RUN: not %hetc check --algorithm settles %s 2>&1 | FileCheck %s --check-prefix=UNTIL
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void scaled(T alpha, tla::LowerMatrix<T> A) {
  if (A.nt() > 1)
// MANY: bad-recursion.tla:[[@LINE+1]]:5: error: 'scaled' calls itself with other options, numbers or matrices each time, 32 so far: only ranges of tiles and ints may change without end
    scaled(alpha * T(2), A.tiles(0, A.nt() / 2));
}
#pragma tla algorithm
template <typename T> void weighted(T alpha, tla::LowerMatrix<T> A) {
  if (A.nt() > 1)
    for (int k = 0; k < 2; ++k)
// VALUE: bad-recursion.tla:[[@LINE+1]]:7: error: argument 'alpha' of an algorithm that calls itself is T(k), which loops, ranges or its own calls decide: only ints and ranges of tiles may change
      weighted(T(k), A.tiles(0, A.nt() / 2));
}
#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void chosen(int side, tla::Matrix<T> A, tla::Matrix<T> B) {
  const auto X = side > 0 ? A : B;
  if (A.nt() > 1)
// CHOICE: bad-recursion.tla:[[@LINE+1]]:5: error: argument 'A' of an algorithm that calls itself is one of two matrices, as a condition or a swap decides; call it with one of them
    chosen(side, X.tiles(0, 1, 0, 1), B.tiles(0, 1, 0, 1));
}
#pragma tla algorithm
template <typename T> void scratch(tla::LowerMatrix<T> A) {
  if (A.nt() > 1) {
// WORKSPACE: bad-recursion.tla:[[@LINE+1]]:23: error: workspace 'W' is declared where 'scratch' calls itself: each call would have its own; pass it one, and parts of that
    tla::Workspace<T> W(1, 1, A.nb(), A.nb());
    scratch(A.tiles(0, A.nt() / 2));
  }
}
#pragma tla algorithm shape(R(1, 1))
template <typename T> void breaks(tla::LowerMatrix<T> A, tla::Matrix<T> R) {
  for (int k = 0; k < 5; ++k) {
// BREAK: bad-recursion.tla:[[@LINE+1]]:5: error: an element ends no loop of an algorithm that calls itself
    if (tla::value(R) < 1)
      break;
    if (A.nt() > 1)
      breaks(A.tiles(0, A.nt() / 2), R);
  }
}
#pragma tla algorithm
template <typename T> void halves(tla::LowerMatrix<T> A) {
  if (A.nt() > 1)
    halves(A.tiles(0, A.nt() / 2));
}
#pragma tla algorithm shape(R(1, 1))
template <typename T> void settles(tla::LowerMatrix<T> A, tla::Matrix<T> R) {
  for (int k = 0; k < 5; ++k) {
    halves(A);
    #pragma tla task
    scal(T(2), R(0, 0));
// UNTIL: bad-recursion.tla:[[@LINE+1]]:5: error: an element ends no loop of a program in which an algorithm calls itself
    if (tla::value(R) < 1)
      break;
  }
}
// MEND: Give each call the same numbers and options; what changes with the depth is an int.
// MEND: Give each call the same numbers and options; what changes with the depth is an int.
// MEND: Call it in each branch of an `if`, with the matrix of that branch.
// MEND: Declare the workspace in the algorithm that makes the first call, and pass it, or parts of it with `W.tiles(...)`.
// MEND: Let the loop go on as often as sizes say.
// MEND: Let the loop go on as often as sizes say, or write the algorithm that calls itself as loops.
