// Conditions that do not keep an index inside, or ask for elements; sizes that depend on which tiles there are.
// RUN: not %hetc check --algorithm beyond %s 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not %hetc check --algorithm sizes %s 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not %hetc check --algorithm elements %s 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// MEND: ask for the tile that the task is given, A.has(i + 1, 0); and decide by sizes, loop variables and scalar parameters.
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void beyond(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    // BEYOND: bad-which-tiles.tla:[[@LINE+2]]:{{.*}}: error: for i = 0 (A has 1 x 0 tiles) this writes A(1, 0)
    #pragma tla task
    scal(T(2), A(i + 1, 0));
  }
}

#pragma tla algorithm
template <typename T> void elements(tla::Matrix<T> A, tla::Matrix<T> B) {
  // ELEMENTS: bad-which-tiles.tla:[[@LINE+1]]:{{.*}}: error: the program reads an element of a tile here
  if (A.has(0, B(0, 0)(0, 0) > T(0) ? 1 : 0)) {
    #pragma tla task
    scal(T(2), A(0, 0));
  }
}

#pragma tla algorithm
template <typename T> void sizes(tla::Matrix<T> A) {
  // SIZES: bad-which-tiles.tla:[[@LINE+1]]:{{.*}}: error: the size of workspace 'W' depends on which tiles a matrix has
  tla::Workspace<T> W(A.has(1, 0) ? A.mt() : 1, 1, A.mb(), A.nb());
  #pragma tla task
  laset(T(0), T(0), W(0, 0));
}
