// An infinity that comes about within a run ends divide and conquer with LAPACK's info: the first row that has one, exit
// code 3, whatever the tiles. Finite matrices of all sizes pass.
// RUN: rm -rf %t && mkdir %t
// RUN: %hetc %s --algorithm with_vectors -o %t/program
// RUN: for nb in 7 64; do sh -c "%t/program -n 40 --nb $nb --set factor=1e300 2>&1; test \$? -eq 3" | FileCheck %s; done
// RUN: for n in 0 1 2 40; do %t/program -n $n --nb 7 --quiet; done
// CHECK: stopped with info = 1
#include "stedc.tla"

/// d = d factor factor.
#pragma tla algorithm shape(d(n, 1))
template <typename T> void enlarge(T factor, tla::Matrix<T> d) {
  for (int t = 0; t < d.mt(); ++t)
    for (int twice = 0; twice < 2; ++twice) {
      #pragma tla task
      scal(factor, d(t, 0));
    }
}

#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1), Q(n, n)) default(factor : 1) input(d : random, e : random, w : zero, Q : zero)
template <typename T> void with_vectors(T factor, tla::Matrix<T> d, tla::Matrix<T> e, tla::Matrix<T> w, tla::Matrix<T> Q) {
  enlarge(factor, d);
  stedc(d, e, w, Q);
}
