// What is no update, and what keeps its meaning on parts. Each program is tried beside the plain one before it is used.
// RUN: %hetc run %s --algorithm triangles -n 13 -k 9 --nb 4 --copies 4 --type z --no-check --set uplo=Lower
// RUN: %hetc --emit=maps %s --algorithm triangles --copies 2 --type z | FileCheck %s --check-prefix=TRIANGLES
// RUN: %hetc run %s --algorithm whole -n 13 --nb 4 --copies 3 --no-check
// RUN: %hetc --emit=maps %s --algorithm whole --copies 2 | FileCheck %s --check-prefix=WHOLE
// RUN: %hetc --emit=maps %s --algorithm steps --copies 2 | FileCheck %s --check-prefix=STEPS
// RUN: not %hetc --emit=maps %s --algorithm transposed --copies 2 2>&1 | FileCheck %s --check-prefix=TRANSPOSED
// RUN: not %hetc --emit=maps %s --algorithm several --copies 2 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not %hetc --emit=maps %s --algorithm integers --copies 2 2>&1 | FileCheck %s --check-prefix=INTEGERS
// RUN: not %hetc --emit=maps %s --algorithm turning --copies 2 2>&1 | FileCheck %s --check-prefix=TURNING
// RUN: not %hetc --emit=maps %s --algorithm mixed --copies 2 2>&1 | FileCheck %s --check-prefix=MIXED
#include <tla/tla.hpp>

#pragma tla kernel sum(C)
template <typename T> void blur(tla::ConstTile<T> A, tla::Tile<T> C) {
  C(0, 0) += A(0, 0);
}
#pragma tla kernel sum(C)
template <typename T> void note(tla::ConstTile<T> A, tla::Tile<T> C, tla::OutTile<T> D);
#pragma tla kernel sum(C)
template <typename T> void count(tla::ConstTile<T> A, tla::Tile<int> C);

// The other triangle stays; the last word, which makes the diagonal real, is the tile's own.
// TRIANGLES: if (A.nt() == l + 1)
// TRIANGLES-NEXT: tla::herk(uplo, NoTrans, 1, read A(i, l), 1, rw C(i, i))
// TRIANGLES: tla::herk(uplo, NoTrans, 1, read A(i, l), 1, rw C__1(i, i))
// TRIANGLES: tla::tradd(uplo, T(1), read C__1(i, i), T(1), rw C(i, i))
#pragma tla algorithm shape(A(n, k), C(n, n)) input(A : random, C : random) default(uplo : Upper)
template <typename T> void triangles(Uplo uplo, tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int l = 0; l < A.nt(); ++l)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      herk(uplo, NoTrans, 1, A(i, l), 1, C(i, i));
    }
}

// A product into a diagonal tile of a triangular matrix is a whole tile.
// WHOLE: tla::geadd(T(1), read C__1(i, i), T(1), rw C(i, i))
#pragma tla algorithm shape(A(n, n), C(n, n)) input(A : random, C : hermitian)
template <typename T> void whole(tla::Matrix<T> A, tla::LowerMatrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, i), T(1), C(i, i));
    }
  for (int i = 0; i < C.mt(); ++i) {
    #pragma tla task
    omatcopy(NoTrans, T(1), C(i, i), A(i, i));
  }
}

// The sum is over k; over j it is another one each time, in the same tile.
// STEPS: if (k % 2 == 1)
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void steps(tla::Matrix<T> A, tla::Matrix<T> C) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int j = 0; j < C.nt(); ++j) {
    #pragma tla task
    laset(T(0), T(0), W(0, 0));
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      blur(A(k, j), W(0, 0));
    }
    #pragma tla task
    blur(W(0, 0), C(j, j));
  }
}

// TRANSPOSED: 'transposed' has none: no call of its kernel blur adds to a whole tile
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void transposed(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      blur(A(i, k), conjTrans(C(i, 0)));
    }
}

// SEVERAL: 'several' has none: no call of its kernel note adds to a whole tile
#pragma tla algorithm shape(A(n, n), C(n, n), D(n, n))
template <typename T> void several(tla::Matrix<T> A, tla::Matrix<T> C, tla::Matrix<T> D) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      note(A(i, k), C(i, 0), D(i, k));
    }
}

// INTEGERS: 'integers' has none: no call of its kernel count adds to a whole tile
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void integers(tla::Matrix<T> A, tla::Matrix<int> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      count(A(i, k), C(i, 0));
    }
}

// MIXED: those of 'C' hetc cannot deal: a triangle of a tile is updated by 'syrk' in line [[@LINE+6]], and the tile otherwise by 'gemm' in line [[@LINE+8]]
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void mixed(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      syrk(Lower, NoTrans, T(1), A(i, k), T(1), C(i, i));
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, i), T(1), C(i, i));
    }
}

// TURNING: those of 'C' hetc cannot deal: a loop decides which triangle 'syrk' in line [[@LINE+6]] updates
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void turning(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      syrk(k < 40 ? Lower : Upper, NoTrans, T(1), A(i, k), T(1), C(i, i));
    }
}
