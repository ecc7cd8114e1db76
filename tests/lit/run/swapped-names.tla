// Where a name stands for one of several matrices, sizes that round differently, and numbers of iterations at the ends of
// int, are those of plain C++: the bits of the serial elision.
// RUN: rm -rf %t && mkdir %t
// RUN: for c in 0 1 2; do for f in rounding rotating; do %hetc run %s --algorithm $f -n 43 --nb 8 --set c=$c --no-check --quiet --serial --output B=%t/serial.npy && %hetc run %s --algorithm $f -n 43 --nb 8 --set c=$c --no-check --quiet --threads 2 --output B=%t/run.npy && cmp %t/serial.npy %t/run.npy || exit 1; done; done
// RUN: for range in "2147483647 -2147483648" "-2 3" "5 5" "1500000000 1800000000" "-1100000000 1100000000"; do set -- $range; for f in up upTo down; do %hetc run %s --algorithm $f -n 43 --nb 8 --set lo=$1 --set hi=$2 --no-check --quiet --serial --output A=%t/serial.npy && %hetc run %s --algorithm $f -n 43 --nb 8 --set lo=$1 --set hi=$2 --no-check --quiet --threads 2 --output A=%t/run.npy && cmp %t/serial.npy %t/run.npy || exit 1; done; done
#include <tla/tla.hpp>

// Five rows of tiles here, and six there: m / nb rounds down, the number of tiles up.
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(A.mt() >= 3) input(A : random, B : random)
template <typename T> void rounding(int c, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> W(A.m() / A.nb(), A.nt(), A.nb(), A.nb());
  for (int i = 0; i < W.mt(); ++i) {
    #pragma tla task
    geadd(T(2), A(i, 0), T(0), W(i, 0));
  }
  const auto X = c > 0 ? W : A;
  for (int i = 0; i < X.mt(); ++i) {
    #pragma tla task
    scal(T(i + 2), B(i, 0));
  }
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(A.mt() >= 3) input(A : random, B : random)
template <typename T> void rotating(int c, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> W(A.m() / A.nb(), A.nt(), A.nb(), A.nb());
  tla::Matrix<T> X = W, Y = A;
  for (int s = 0; s < c; ++s) {
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task
      scal(T(i + 2), B(i, 0));
    }
    swap(X, Y);
  }
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : random, B : random)
template <typename T> void up(int lo, int hi, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Matrix<T> X = A, Y = B;
  for (int s = lo; s < hi; s += 300000001) {
    #pragma tla task
    geadd(T(0.5), X(0, 0), T(0.25), Y(0, 0));
    swap(X, Y);
  }
  #pragma tla task
  scal(T(2), X(0, 0));
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : random, B : random)
template <typename T> void upTo(int lo, int hi, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Matrix<T> X = A, Y = B;
  for (int s = lo; s < (lo < 5 && hi < 5 ? hi : lo); ++s) {
    #pragma tla task
    geadd(T(0.5), X(0, 0), T(0.25), Y(0, 0));
    swap(X, Y);
  }
  for (int s = -3; s <= (hi > 5 ? 5 : hi); s += 2) {
    #pragma tla task
    geadd(T(0.5), X(0, 0), T(0.25), Y(0, 0));
    swap(X, Y);
  }
  #pragma tla task
  scal(T(2), X(0, 0));
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1) input(A : random, B : random)
template <typename T> void down(int lo, int hi, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Matrix<T> X = A, Y = B;
  for (int s = hi; s >= lo; s -= 300000001) {
    #pragma tla task
    geadd(T(0.5), X(0, 0), T(0.25), Y(0, 0));
    swap(X, Y);
  }
  for (int s = hi > 7 ? 7 : hi; s > 0; s -= 2) {
    #pragma tla task
    geadd(T(0.5), X(0, 0), T(0.25), Y(0, 0));
    swap(X, Y);
  }
  #pragma tla task
  scal(T(2), X(0, 0));
}
