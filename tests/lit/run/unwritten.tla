// What a task needs of a workspace's tile has been written before: where hetc has no proof the run ends there, whatever the
// kernel's parameter is and whatever part of the tile it is given.
// RUN: for f in updated viewed halves alone kept; do sh -c "%hetc run %s --algorithm $f -n 40 --nb 8 --quiet 2>%t.err; test \$? -eq 4" && grep -q "hetc: $f: read without content: tile W(1, 1)" %t.err || { cat %t.err; exit 1; }; done
// RUN: for f in halves; do sh -c "%hetc run %s --algorithm $f -n 40 --nb 8 --quiet --devices emulated:2 --threads 2 2>%t.err; test \$? -eq 4" && grep -q "read without content: tile W(1, 1)" %t.err || { cat %t.err; exit 1; }; done
// RUN: sh -c "%hetc run %s --algorithm halves -n 40 --nb 8 --quiet 2>%t.err; test \$? -eq 4" && FileCheck %s < %t.err
// RUN: for f in halves kept; do %hetc run %s --algorithm $f -n 40 --nb 8 --set t=3 --quiet --no-check --serial --output A=%t.serial.npy && %hetc run %s --algorithm $f -n 40 --nb 8 --set t=3 --quiet --no-check --output A=%t.run.npy && cmp %t.serial.npy %t.run.npy || exit 1; done
// CHECK: hetc: halves: read without content: tile W(1, 1).lower(), which no earlier task wrote (geadd on A(1, 1), unwritten.tla:
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) default(t : 1) input(A : zero)
template <typename T> void updated(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    if (k * t % 3 != 1) {
      #pragma tla task
      laset(T(0), T(1), W(k, k));
    }
    #pragma tla task
    scal(T(2), W(k, k));
    #pragma tla task
    geadd(T(1), W(k, k), T(1), A(k, k));
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) default(t : 1) input(A : zero)
template <typename T> void viewed(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    if (k * t % 3 != 1) {
      #pragma tla task
      laset(T(0), T(1), W(k, k));
    }
    #pragma tla task
    laset(T(3), T(4), W(k, k).rows(0, 1));
    #pragma tla task
    geadd(T(1), W(k, k), T(1), A(k, k));
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) default(t : 1) input(A : zero)
template <typename T> void halves(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    laset(T(0), T(1), W(k, k).upper());
    if (k * t % 3 != 1) {
      #pragma tla task
      laset(T(0), T(1), W(k, k).lower());
    }
    #pragma tla task
    geadd(T(1), W(k, k), T(1), A(k, k));
  }
}

/// One task that reads what it also writes.
#pragma tla kernel alias(B, A)
template <typename T> void replace(tla::ConstTile<T> B, tla::OutTile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = B(i, j) + T(1);
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1) default(t : 1) input(A : zero)
template <typename T> void alone(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    if (k * t % 3 != 1) {
      #pragma tla task
      laset(T(0), T(1), W(k, k));
    }
    #pragma tla task
    replace(W(k, k), W(k, k));
    #pragma tla task
    geadd(T(1), W(k, k), T(1), A(k, k));
  }
}

/// A workspace that lasts over the parts of a run, whose loop an element ends.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1) default(t : 1) input(A : zero)
template <typename T> void kept(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int k = 0; k < A.nt(); ++k)
    if (k * t % 3 != 1) {
      #pragma tla task
      laset(T(1), T(1), W(k, k));
    }
  for (int s = 0; s < 5; ++s) {
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      geadd(T(1), W(k, k), T(1), A(k, k));
    }
    if (tla::value(A) > T(3))
      break;
  }
}

// MEND: Write the tile before: all of it, or the half that is read. What writes rows or columns of a tile reads the rest.
