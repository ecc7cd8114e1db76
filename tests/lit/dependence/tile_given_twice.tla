// What a kernel writes is no other argument of the call, unless the kernel allows it.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
// RUN: %hetc check --algorithm allowed %s 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %hetc --emit=cpp --algorithm allowed %s | FileCheck %s --check-prefix=PROVED
// RUN: %hetc --emit=cpp --algorithm strips %s | FileCheck %s --check-prefix=CHECKED
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void tile_given_twice(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < (A.nt() + 1) / 2; ++j) {
// CHECK: tile_given_twice.tla:[[@LINE+2]]:40: error: for m = 1, n = 1, nb = 2, i = 0, j = 0: omatcopy writes B, which is A(0, 0) and shares elements with A, which is A(0, 0); a kernel that can take that says alias(B, A)
      #pragma tla task
      omatcopy(NoTrans, T(2), A(i, j), A(i, j));
// CHECK: tile_given_twice.tla:[[@LINE+3]]:42: error: for m = 1, n = 5, nb = 2, i = 0, j = 1: omatcopy writes B, which is A(0, 1) and shares
      if (j > 0) {
        #pragma tla task
        omatcopy(NoTrans, T(2), A(i, j), A(i, 2 * j - 1));
      }
    }
}

#pragma tla kernel alias(A, C)
template <typename T> void blend(tla::ConstTile<T> A, tla::Tile<T> C);
#pragma tla kernel
template <typename T> void joined(tla::ConstTile<T> A, tla::Tile<T> C);

// FINE: allowed: fine
// PROVED-NOT: failAlias
#pragma tla algorithm
template <typename T> void allowed(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      blend(A(i, j), A(i, j));
      #pragma tla task
      joined(A(i, j).lower(), A(i, j).upper());
      if (i > 0) {
        #pragma tla task
        joined(A(i - 1, j), A(i, j));
      }
    }
}

// Rows of one tile: with numbers, when the task runs.
// CHECKED: failAlias("C", task.argument(1), "A", task.argument(0))
// CHECKED: arguments_joined__0[] = {"A(i, j).rows(0, 1)", "A(i, j).rows(p, 1)"};
#pragma tla algorithm
template <typename T> void strips(int p, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt() - 1; ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      joined(A(i, j).rows(0, 1), A(i, j).rows(p, 1));
    }
}

// MEND: Use another tile, a workspace say, as output. If the kernel works in place, say `alias(B, A)` in its pragma.
