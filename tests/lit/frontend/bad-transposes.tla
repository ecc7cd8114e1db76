// RUN: not %hetc check --algorithm parts %s 2>&1 | FileCheck %s --check-prefix=PARTS --implicit-check-not=error:
// RUN: not %hetc check --algorithm panels %s 2>&1 | FileCheck %s --check-prefix=PANELS --implicit-check-not=error:
// RUN: not %hetc check --algorithm both %s 2>&1 | FileCheck %s --check-prefix=BOTH --implicit-check-not=error:
// RUN: not %hetc check --algorithm outside %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE --implicit-check-not=error:
// RUN: not %hetc check --algorithm sizes %s 2>&1 | FileCheck %s --check-prefix=SIZES --implicit-check-not=error:
// RUN: not %hetc check --algorithm empty %s 2>&1 | FileCheck %s --check-prefix=EMPTY --implicit-check-not=error:
// RUN: not %hetc check --algorithm behind %s 2>&1 | FileCheck %s --check-prefix=BEHIND --implicit-check-not=error:
// RUN: not %hetc check --algorithm ends %s 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not=error:
#include <tla/tla.hpp>

#pragma tla kernel alias(A, B)
template <typename T> void add(tla::ConstTile<T> A, tla::Tile<T> B) {}
#pragma tla kernel
template <typename T> void addPanel(tla::ConstPanel<T> A, tla::Tile<T> B) {}

#pragma tla algorithm requires(A.m() >= 1, A.n() >= 1)
template <typename T> void parts(tla::Matrix<T> A) {
// PARTS: [[@LINE+2]]:14: error: conjTrans() is of whole tiles: conjTrans(A(i, j)), of which lower(), upper(), rows() and cols() are parts
  #pragma tla task
  scal(T(2), conjTrans(A(0, 0).rows(0, 1)));
// PARTS: [[@LINE+2]]:14: error: conjTrans() is of whole tiles
  #pragma tla task
  scal(T(2), conjTrans(A(0, 0).lower()));
}

#pragma tla algorithm
template <typename T> void sums(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int j = 0; j < A.nt(); ++j) {
// PANELS: [[@LINE+3]]:14: error: a panel is tiles of one column, and those of a transpose are of one row
// PANELS: [[@LINE+8]]:3: note: in 'sums', called here
    #pragma tla task
    addPanel(A.panel(0, A.mt(), j), B(0, j));
  }
}

#pragma tla algorithm requires(A.m() >= 1, A.n() >= 1)
template <typename T> void panels(tla::Matrix<T> A, tla::Matrix<T> B) {
  sums(conjTrans(A), B);
}

// A kernel may take one tile twice, but not once as it is and once transposed.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1)
template <typename T> void both(tla::Matrix<T> A) {
  #pragma tla task
  add(A(0, 0), A(0, 0));
// BOTH: [[@LINE+2]]:26: error: for n = 1, nb = 2: add writes B, which is A(0, 0).conjTrans() and shares elements with A, which is A(0, 0); one tile is not seen as it is and transposed by one call
  #pragma tla task
  add(A(0, 0), conjTrans(A(0, 0)));
}

#pragma tla algorithm shape(A(m, n)) requires(m >= 1, n >= 1)
template <typename T> void outside(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
// OUTSIDE: [[@LINE+2]]:16: error: {{.*}}this writes A(0, 1)
    #pragma tla task
    scal(T(2), conjTrans(A)(i, 0));
  }
}

#pragma tla algorithm shape(A(m, n), B(m, n)) requires(m >= 1, n >= 1)
template <typename T> void sizes(tla::Matrix<T> A, tla::Matrix<T> B) {
// SIZES: [[@LINE+2]]:3: error: {{.*}}geadd requires A.m() == B.m(), but A, which is A(0, 0).conjTrans(), is {{.*}}; B, which is B(0, 0), is
  #pragma tla task
  geadd(T(1), conjTrans(A(0, 0)), T(1), B(0, 0));
}

// Of a panel without tiles, and one whose tile is not the first.
#pragma tla algorithm shape(A(m, n)) requires(m >= 1, n >= 1)
template <typename T> void empty(tla::Matrix<T> A) {
// EMPTY: [[@LINE+2]]:45: error: for m = 3, n = 1, nb = 2: addPanel writes B, which is A(1, 0).conjTrans() and shares elements with A, which is A.panel(1, 2, 0); one tile is not seen as it is and transposed by one call
  #pragma tla task
  addPanel(A.panel(1, A.mt(), 0), conjTrans(A(A.mt() - 1, 0)));
}

#pragma tla algorithm shape(A(m, n)) requires(m >= 1, n >= 1)
template <typename T> void behind(tla::Matrix<T> A) {
  for (int i = 1; i < A.mt(); ++i) {
// BEHIND: [[@LINE+2]]:47: error: {{.*}}addPanel writes B, which is A(1, 0).conjTrans() and shares elements with A, which is A.panel(0, 2, 0)
    #pragma tla task
    addPanel(A.panel(0, A.mt(), 0), conjTrans(A(i, 0)));
  }
}

#pragma tla algorithm shape(A(n, n), r(1, 1)) requires(n >= 1)
template <typename T> void ends(tla::Matrix<T> A, tla::Matrix<T> r) {
  const auto s = conjTrans(r);
  for (int k = 0; k < 10; ++k) {
    #pragma tla task
    geadd(T(1), A(0, 0).rows(0, 1).cols(0, 1), T(0.5), r(0, 0));
// ENDS: [[@LINE+1]]:5: error: a value is that of a matrix, not of its transpose
    if (tla::value(s) < 1)
      break;
  }
}

// MEND: Take a part of the transpose: conjTrans(A(i, j)).cols(0, 1).
// MEND: Take a part of the transpose: conjTrans(A(i, j)).upper(), without the diagonal.
// MEND: Call the algorithm with the matrix itself, or write it without panels.
// MEND: Give the kernel a copy of one of them, in a workspace.
// MEND: Let the loop count the tiles that the transpose has: conjTrans(A).mt(), which is A.nt().
// MEND: Give the kernel tiles of one shape: the transpose of an m x n tile is n x m.
// MEND: The same of a panel: give the kernel a copy of the tile.
// MEND: The same.
// MEND: Ask for the value of the matrix itself.
