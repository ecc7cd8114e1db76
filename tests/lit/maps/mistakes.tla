// Programs that copies of the nodes have nothing to share of.
// RUN: not %hetc --copies 2 %s --algorithm none -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %hetc --copies 2 %s --algorithm once -o %t 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: not %hetc --copies 2 %s --algorithm squares -o %t 2>&1 | FileCheck %s --check-prefix=SQUARES
// RUN: not %hetc --copies 2 %s --algorithm early -o %t 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %hetc --copies 0 %s --algorithm once -o %t 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %hetc --copies 65 %s --algorithm once -o %t 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %hetc --copies 2 --split 2 %s --algorithm once -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %hetc --copies 3 --dist 2dbc:2x2,copies=2 %s --algorithm once -o %t 2>&1 | FileCheck %s --check-prefix=OTHER
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void blend(tla::ConstTile<T> A, tla::Tile<T> C);
#pragma tla kernel sum(C) alias(A, C)
template <typename T> void add(tla::ConstTile<T> A, tla::Tile<T> C);

// NONE: error: copies of the nodes, of which there are 2, share updates of tiles, and 'none' has none: no call of its kernel blend adds to a whole tile, by the clause sum(C) of '#pragma tla kernel'
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void none(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      blend(A(i, k), C(i, 0));
    }
}

// ONCE: error: copies of the nodes, of which there are 2, share updates of tiles, and in 'once' no loop goes over several updates of a tile
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void once(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i) {
    #pragma tla task
    add(A(i, i), C(i, i));
  }
}

// SQUARES: error: which updates of a tile follow each other is not known of 'squares': 'i * i' is not affine; copies of the nodes, which share them, are for affine programs
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void squares(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int k = i * i; k < A.nt(); ++k) {
      #pragma tla task
      add(A(i, k), C(i, i));
    }
}

#pragma tla algorithm shape(A(n, n), C(n, n)) requires(n >= 1)
template <typename T> void early(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    add(A(k, k), C(0, 0));
    // EARLY: mistakes.tla:[[@LINE+1]]:{{[0-9]+}}: error: copies of the nodes are for programs whose loops no element ends: this one's run is several runs
    if (tla::value(C) < T(1))
      break;
  }
}

// ZERO: hetc: nodes stand in 1 to 64 copies, not 0
// MANY: hetc: nodes stand in 1 to 64 copies, not 65
// BOTH: hetc: a program is for slices of tiles (--split) or for copies of nodes (copies=2), not for both
// OTHER: hetc: --copies: 2dbc:2x2,copies=2 has 2 copies of nodes, not 3
