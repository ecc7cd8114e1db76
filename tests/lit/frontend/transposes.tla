// Conjugate transposes of tiles and of matrices that algorithms are called with: the access is to the whole tile, as it
// lies in memory, and the kernel sees a copy.
// RUN: %hetc check %s 2>&1 | FileCheck %s --check-prefix=FINE --implicit-check-not=remark
// RUN: %hetc --emit=ir %s | FileCheck %s
// RUN: %hetc --emit=deps %s | FileCheck %s --check-prefix=DEPS
// RUN: %hetc --emit=cpp --march base %s | FileCheck %s --check-prefix=CPP
// RUN: %hetc run %s -m 21 -n 13 --nb 4 --type z --quiet --serial --output A=%t.s.npy
// RUN: %hetc run %s -m 21 -n 13 --nb 4 --type z --quiet --threads 2 --output A=%t.2.npy && cmp %t.s.npy %t.2.npy
// RUN: %hetc run %s -m 21 -n 13 --nb 4 --type z --quiet --split 3 --output A=%t.3.npy
// RUN: %hetc run %s -m 21 -n 13 --nb 4 --type z --quiet --devices emulated:2 --output A=%t.d.npy && cmp %t.s.npy %t.d.npy
// RUN: %hetc check --algorithm parts %s
// RUN: %hetc run --algorithm parts %s -n 21 --nb 4 --type z --quiet --serial --output A=%t.s.npy
// RUN: %hetc run --algorithm parts %s -n 21 --nb 4 --type z --quiet --threads 2 --output A=%t.2.npy && cmp %t.s.npy %t.2.npy
// RUN: %hetc run --algorithm parts %s -n 21 --nb 4 --type z --quiet --split 3 --output A=%t.3.npy
// FINE: transposes: fine (6 task statements)
#include <tla/tla.hpp>

#pragma tla kernel flops(B.m() * B.n()) requires(A.m() == B.m(), A.n() == B.n()) alias(A, B)
template <typename T> void combine(int i, tla::ConstTile<T> A, tla::Tile<T> B) {
  for (int c = 0; c < B.n(); ++c)
    for (int r = 0; r < B.m(); ++r)
      B(r, c) = B(r, c) * T(0.5) + A(r, c) + T(i + r - 2 * c);
}
#pragma tla kernel
template <typename T> void clear(tla::OutTile<T> A) {
  for (int c = 0; c < A.n(); ++c)
    for (int r = 0; r < A.m(); ++r)
      A(r, c) = T(r * c);
}

#pragma tla kernel
template <typename T> void exchange(tla::Tile<T> A, tla::Tile<T> B) {
  for (int c = 0; c < min(A.n(), B.n()); ++c)
    for (int r = 0; r < min(A.m(), B.m()); ++r)
      if (A.region() == tla::Region::Full || r > c) {
        A(r, c) += T(2) * B(r, c);
        if (B.region() == tla::Region::Full)
          B(r, c) -= A(r, c);
      }
}

/// Parts of one transpose that have nothing in common are what a kernel may be given.
#pragma tla algorithm shape(A(n, n)) input(A : random) requires(n >= 9)
template <typename T> void parts(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int i = 1; i < A.mt(); ++i) {
    #pragma tla task
    exchange(conjTrans(A(i, 0)).cols(0, 1), conjTrans(A(i, 0)).cols(1, 0));
    #pragma tla task
    exchange(conjTrans(A(i, 0)).rows(0, 1), conjTrans(A(i, 0)).rows(1, 2));
    #pragma tla task
    exchange(conjTrans(A(0, 0)).lower(), conjTrans(A(0, 0)).upper());
    #pragma tla task
    clear(W(i, 0));
    #pragma tla task
    combine(i, W(i, 0).rows(0, 1), A(i, 0).rows(0, 1));
  }
}

/// Walks down the k tile rows of its argument, however that lies in memory.
#pragma tla algorithm
template <typename T> void downwards(int step, tla::Matrix<T> B) {
  for (int i = step * B.q() / B.q(); i < B.mt(); ++i) {
    #pragma tla task at(B(i, 0))
    combine(B.m() + B.nb(), B(i - step, 0).rows(0, min(B.mb(), B.m() - i * B.mb())), B(i, 0));
  }
}

#pragma tla algorithm shape(A(m, n)) input(A : random) requires(m >= 1, n >= 1)
template <typename T> void transposes(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.n(), A.m(), A.nb());
// CHECK: clear(write W(j, i))
// CHECK: clear(write W(j, i_1).conjTrans())
// CPP: ::clear(tla::ArgumentTile<T>(task.tile<T>(0), false, true));
// DEPS: write {{.*}}{ S1[j, i_1] -> W[j, i_1]
  for (int j = 0; j < A.nt(); ++j) {
    for (int i = 0; i < A.mt(); i += 2) {
      #pragma tla task
      clear(W(j, i));
    }
    for (int i = 1; i < A.mt(); i += 2) {
      #pragma tla task
      clear(conjTrans(W(j, i)));
    }
// CHECK: combine(j, read W(j, i_2).conjTrans(), rw A(i_2, j))
// CPP: checked__(j, tla::ArgumentTile<T>(task.tile<T>(1), true, false), task.tile<T>(0));
// CPP: flops(rt::sizeOf(task.tile<T>(0)));
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      combine(j, conjTrans(W(j, i)), A(i, j));
    }
  }
// CHECK: clear(rw A(0, 0).conjTrans().lower())
// CPP: ::clear(tla::ArgumentTile<T>(task.tile<T>(0), true, true).lower());
// DEPS: rw {{.*}}{ S3[] -> A[0, 0]
  #pragma tla task
  clear(conjTrans(A(0, 0)).lower());
// CHECK: for (int i_3 = 1 * A.p() / A.p(); i_3 < A.nt(); ++i_3)
// CHECK: combine(A.n() + A.mb(), read A(0, i_3 - 1).conjTrans().rows(0, min(A.nb(), A.n() - i_3 * A.nb())), rw A(0, i_3).conjTrans())
// CPP: checked__({{.*}}, tla::ArgumentTile<T>(task.tile<T>(1), true, false).rows(0, rows__1), tla::ArgumentTile<T>(task.tile<T>(0), true, true));
// CPP: flops(rt::sizeOf(rt::transposedShape<T>(task.tile<T>(0), rt::sizeOf(task.tile<T>(0)))))
  downwards(1, conjTrans(A));
// CHECK: combine(A.m() + A.nb(), read A(i_4 - 1, 0).rows(
  downwards(1, conjTrans(conjTrans(A)));
}
