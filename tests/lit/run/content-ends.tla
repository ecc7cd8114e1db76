// Where content ends a run says so at the next read, whatever ends it: a release or the end of a call, in a loop that an
// element ends, beside an algorithm that calls itself, beside a product whose updates are dealt to devices; and the test
// itself reads.
// RUN: for f in tested released called nested beside; do sh -c "%hetc run %s --algorithm $f -n 24 --nb 8 --quiet 2>%t.err; test \$? -eq 4" && grep -q "hetc: $f: read without content: " %t.err || { cat %t.err; exit 1; }; done
// RUN: for f in released called beside placed; do sh -c "%hetc run %s --algorithm $f -n 24 --nb 8 --quiet --devices emulated:2 --threads 2 2>%t.err; test \$? -eq 4" && grep -q "read without content: tile W(0, 0)" %t.err || { cat %t.err; exit 1; }; done
// RUN: sh -c "%hetc run %s --algorithm dealt -n 24 --nb 8 --quiet --tasks octal --devices emulated:2 2>%t.err; test \$? -eq 4" && grep -q "read without content: tile W(0, 0)" %t.err || { cat %t.err; exit 1; }
// RUN: not %hetc run %s --algorithm tested -n 24 --nb 8 --quiet 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: not %hetc run %s --algorithm called -n 24 --nb 8 --quiet 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: for f in tested released called nested beside; do %hetc run %s --algorithm $f -n 24 --nb 8 --set t=0 --quiet --no-check --serial --output A=%t.serial.npy && %hetc run %s --algorithm $f -n 24 --nb 8 --set t=0 --quiet --no-check --output A=%t.run.npy && cmp %t.serial.npy %t.run.npy || exit 1; done
// TESTED: hetc: tested: read without content: the element that ends the loop, whose tile no earlier task wrote (content-ends.tla:{{[0-9]+}})
// CALLED: hetc: called: read without content: tile W(0, 0), which no earlier task wrote (geadd on A(0, 0), content-ends.tla:
#include <tla/tla.hpp>

// Nothing is proved of a product of a loop's variable and t.
#pragma tla algorithm shape(A(n, n)) requires(n % A.nb() == 0)
template <typename T> void step(int k, int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  if (k * t % 3 != 1) {
    #pragma tla task
    laset(T(0), T(1), W(0, 0));
  }
  #pragma tla task
  geadd(T(1), W(0, 0), T(1), A(0, 0));
}

/// The test is the only one that reads W: written in the first iteration where t is 0.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void tested(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int s = 0; s < 5; ++s) {
    if ((s + 1) * t % 3 == 0) {
      #pragma tla task
      laset(T(0), T(s), W(0, 0));
    }
    #pragma tla task
    laset(T(s), T(s), A(0, 0));
    if (tla::value(W) > T(2))
      break;
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void released(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int s = 0; s < 5; ++s) {
    if (s * t % 3 != 1) {
      #pragma tla task
      laset(T(0), T(1), W(0, 0));
    }
    #pragma tla task release(W(0, 0))
    geadd(T(1), W(0, 0), T(1), A(0, 0));
    if (tla::value(A) > T(3))
      break;
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void called(int t, tla::Matrix<T> A) {
  for (int s = 0; s < 5; ++s) {
    step(s, t, A);
    if (tla::value(A) > T(3))
      break;
  }
}

/// Calls the step behind the test, in a loop inside.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void nested(int t, tla::Matrix<T> A) {
  for (int s = 0; s < 5; ++s) {
    if (tla::value(A) > T(3))
      break;
    for (int k = 0; k < 2; ++k)
      step(k, t, A);
  }
}

/// Both are on a device, whose copy goes as the host's does.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void placed(int t, tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int s = 0; s < 5; ++s) {
    if (s * t % 3 != 1) {
      #pragma tla task device(gpu)
      laset(T(0), T(1), W(0, 0));
    }
    #pragma tla task release(W(0, 0)) device(gpu)
    geadd(T(1), W(0, 0), T(1), A(0, 0));
  }
}

#pragma tla algorithm shape(A(n, n))
template <typename T> void again(tla::Matrix<T> A) {
  if (A.nt() > 1) {
    const int half = A.nt() / 2;
    again(A.tiles(0, half, 0, half));
    again(A.tiles(half, A.nt(), half, A.nt()));
  } else if (A.nt() == 1) {
    #pragma tla task
    scal(T(2), A(0, 0));
  }
}

#pragma tla algorithm shape(A(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : zero)
template <typename T> void beside(int t, tla::Matrix<T> A) {
  for (int s = 0; s < 2; ++s)
    step(s, t, A);
  again(A);
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1, n % A.nb() == 0) default(t : 1) input(A : random, B : random)
template <typename T> void dealt(int t, tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int s = 0; s < 2; ++s)
    step(s, t, A);
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i)
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), B(i, j));
      }
}
