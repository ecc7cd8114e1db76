// A user's kernel that leaves the part of a tile that it is given is stopped by its first call, or by --check=full.
// RUN: for f in writes reads view ragged; do sh -c "%hetc run %s --algorithm $f -n 20 --nb 8 --quiet 2>%t.$f.err; test \$? -eq 4" || { cat %t.$f.err; exit 1; }; done
// RUN: FileCheck %s --check-prefix=WRITES < %t.writes.err
// RUN: FileCheck %s --check-prefix=READS < %t.reads.err
// RUN: FileCheck %s --check-prefix=VIEW < %t.view.err
// RUN: FileCheck %s --check-prefix=RAGGED < %t.ragged.err
// RUN: sh -c "%hetc run %s --algorithm rare -n 20 --nb 8 --quiet --check full 2>%t.err; test \$? -eq 4" && FileCheck %s --check-prefix=RARE < %t.err
// RUN: %hetc run %s --algorithm inside -n 20 --nb 8 --quiet --no-check --output A=%t.run.npy && %hetc run %s --algorithm inside -n 20 --nb 8 --quiet --no-check --serial --output A=%t.serial.npy && cmp %t.run.npy %t.serial.npy
// RUN: %hetc run %s --algorithm inside -n 20 --nb 8 --quiet --check full --output A=%t.run.npy && cmp %t.run.npy %t.serial.npy
// RUN: %hetc --emit=cpp --algorithm whole %s | FileCheck %s --check-prefix=WHOLE
#include "Inputs/parts.hpp"

// WRITES: hetc: writes: writes outside of A, which is A(i, i).lower(), to element (0, 0) of the tile; give it what it needs
// WRITES-SAME: (twiceAll on A(0, 0), parts.tla:[[@LINE+5]])
#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : minij)
template <typename T> void writes(tla::Matrix<T> A) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    twiceAll(A(i, i).lower());
    #pragma tla task
    laset(T(0), T(1), A(i, i).upper());
  }
}

// READS: hetc: reads: reads outside of A, which is A(i, i).upper(), as its results change with what is there; give it
// READS-SAME: (total on B(0, 0), parts.tla:
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : minij, B : zero)
template <typename T> void reads(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    total(A(i, i).upper(), B(i, i));
  }
}

// VIEW: hetc: view: writes outside of A, which is A(i, i).rows(1, 2), to element (0, 0) of the tile
#pragma tla algorithm shape(A(n, n)) requires(n >= 3, n % A.nb() != 1, n % A.nb() != 2) input(A : minij)
template <typename T> void view(tla::Matrix<T> A) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    rowBefore(A(i, i).rows(1, 2));
  }
}

// Only the last tile's call is wrong: its size is another.
// RAGGED: hetc: ragged: writes outside of A, which is A(i, i).rows(1, 2), to element (0, 0) of the tile
#pragma tla algorithm shape(A(n, n)) requires(n >= 3, n % A.nb() != 1, n % A.nb() != 2) input(A : minij)
template <typename T> void ragged(tla::Matrix<T> A) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    rowBeforeOfFew(A(i, i).rows(1, 2));
  }
}

// Only the second call is wrong, which has the size of the first.
// RARE: hetc: rare: writes outside of A, which is B(0, 0).lower(), to element (0, 0) of the tile
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : minij, B : zero)
template <typename T> void rare(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < 2; ++i) {
    #pragma tla task
    seldom(B(0, 0).lower());
    #pragma tla task
    geadd(T(1), A(0, 0), T(1), B(0, 0));
  }
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : minij, B : zero)
template <typename T> void inside(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    twice(A(i, i).lower());
    #pragma tla task
    twice(A(i, i).upper());
    #pragma tla task
    total(A(i, i).rows(0, 1), B(0, 0).cols(0, 1));
    #pragma tla task
    twice(A(i, i).cols(0, 1));
  }
}

// WHOLE-NOT: GuardedCalls
#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : minij)
template <typename T> void whole(tla::Matrix<T> A) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    twice(A(i, i));
  }
}

// MEND: Give the kernel the whole tile, or let it ask `region()`, `m()` and `n()` of its parameter and stay inside.
