// Programs without a product that could be dealt, and requests that make no sense: what is in the way is said.
// RUN: not %hetc %s --tasks octal --algorithm none -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %hetc %s --tasks octal --algorithm triangular -o %t 2>&1 | FileCheck %s --check-prefix=TRIANGULAR
// RUN: not %hetc %s --tasks octal --algorithm whole -o %t 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not %hetc %s --tasks octal --algorithm written -o %t 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not %hetc %s --tasks octal --algorithm other -o %t 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %hetc %s --tasks octal --algorithm triangle -o %t 2>&1 | FileCheck %s --check-prefix=TRIANGLE
// RUN: not %hetc %s --tasks octal --algorithm several -o %t 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not %hetc %s --tasks octal --algorithm released -o %t 2>&1 | FileCheck %s --check-prefix=RELEASED
// RUN: not %hetc %s --tasks octal --algorithm above -o %t 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: not %hetc %s --tasks octal --algorithm early -o %t 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %hetc %s --tasks octal --split 2 --algorithm whole -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %hetc %s --tasks octal --dist 2dbc:2x2 --algorithm whole -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %hetc %s --tasks octal --copies 2 --algorithm whole -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %hetc %s --tasks decimal --algorithm whole -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %hetc %algorithms/cholesky.tla --tasks octal -o %t 2>&1 | FileCheck %s --check-prefix=CHOLESKY
// RUN: not %hetc graph %s --algorithm whole -n 4 --tasks octal 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not %hetc sim %algorithms/gemm.tla -n 20000 --platform keeneland --nodes 4 --tasks octal 2>&1 | FileCheck %s --check-prefix=SIM
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void blend(tla::ConstTile<T> A, tla::Tile<T> C);
#pragma tla kernel sum(C in uplo)
template <typename T> void addIn(Uplo uplo, tla::ConstTile<T> A, tla::Tile<T> C);

// NONE: error: a task map deals the updates of products, and 'none' has none that it could deal: no call of its kernel blend adds to a whole tile, by the clause sum(C) of '#pragma tla kernel'
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void none(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      blend(A(i, k), C(i, 0));
    }
}

// TRIANGULAR: and 'triangular' has none that it could deal: 'gemm' in line [[@LINE+7]] is not in loops over the rows of tiles of 'C', its columns and steps, each from 0 up to a number that the arguments decide
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void triangular(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < i; ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), C(i, j));
      }
}

// WHOLE: and 'whole' has none that it could deal: 'blend' in line [[@LINE+9]] does not add to a whole tile, by the clause sum(...) of '#pragma tla kernel'
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void whole(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), C(i, j));
        #pragma tla task
        blend(A(i, k), C(i, j));
      }
}

// WRITTEN: and 'written' has none that it could deal: 'blend' in line [[@LINE+6]] does not write C(i, j) alone, or reads other tiles of 'C'
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void written(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      blend(C(i, j), A(i, j));
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), C(i, j));
      }
    }
}

// OTHER: and 'other' has none that it could deal: 'gemm' in line [[@LINE+8]] does not write C(i, j) alone, or reads other tiles of 'C'
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void other(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k)
        if (k > i) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), C(k, j), T(1), C(i, j));
        }
}

// TRIANGLE: and 'triangle' has none that it could deal: 'addIn' in line [[@LINE+7]] adds to a triangle of its tile only, by the clause sum(... in ...)
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void triangle(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        addIn(Lower, A(i, k), C(i, j));
      }
}

// SEVERAL: and 'several' has none that it could deal: 'gemm' in line [[@LINE+7]] is not in loops over the rows of tiles of 'C', its columns and steps
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void several(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), C(i, j));
      }
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), C(i, j));
      }
    }
}

// RELEASED: and 'released' has none that it could deal: 'scal' in line [[@LINE+8]] releases a tile, which in another order a later task may need
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void released(tla::Matrix<T> A, tla::Matrix<T> C) {
  tla::Workspace<T> W(A.mt(), 1, A.nb(), A.nb());
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      if (j == 0) {
        #pragma tla task release(W(i, 0))
        scal(T(2), C(i, j));
      }
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), C(i, j));
      }
    }
}

// ABOVE: and 'above' has none that it could deal: 'gemm' in line [[@LINE+6]] stands beside the loop of steps, in which nothing is added
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void above(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, 0), A(0, j), T(1), C(i, j));
      for (int k = 0; k < A.nt(); ++k)
        if (k == 0) {
          #pragma tla task
          scal(T(2), C(i, j));
        }
    }
}

#pragma tla algorithm shape(A(n, n), C(n, n)) requires(n >= 1)
template <typename T> void early(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), A(0, k), A(k, 0), T(1), C(0, 0));
    // EARLY: octal-mistakes.tla:[[@LINE+1]]:{{[0-9]+}}: error: --tasks octal is for programs whose loops no element ends: this one's run is several runs
    if (tla::value(C) < T(1))
      break;
  }
}

// BOTH: hetc: --tasks octal deals updates to the elements of one node: leave out --split, --copies and --dist
// UNKNOWN: --tasks: {{.*}}decimal
// CHOLESKY: error: a task map deals the updates of products, and 'cholesky' has none that it could deal: 'herk' in line {{[0-9]+}} is not in loops
// GRAPH: hetc: graph: the order of tasks that are dealt is known to a run only: leave --tasks out
// SIM: hetc: gemm deals its updates to the elements of one node (--tasks octal), and 4 nodes are asked for;
