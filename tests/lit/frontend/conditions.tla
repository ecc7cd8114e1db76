// What must hold of a kernel's arguments, and of an algorithm's sizes, each && by itself.
// RUN: %hetc --emit=ir %s | FileCheck %s
#include <tla/tla.hpp>

// CHECK: requires(A.n() <= A.m())
// CHECK: requires(p >= 1)
// CHECK: kernel tla::gemm<T>(opA, opB, alpha, read A, read B, beta, rw C) flops({{.*}}) requires((opA == NoTrans ? A.m() : A.n()) == C.m()) requires(
// CHECK: kernel mix<T>(p, read X, rw Y, rw panel P) requires(X.m() == Y.m()) requires(p > 0 || min(P.mt(), 2) == 2) alias(X, Y, P) @{{[0-9]+}}
#pragma tla kernel requires(X.m() == Y.m()) alias(X, Y, P) requires(p > 0 || min(P.mt(), 2) == 2)
template <typename T> void mix(int p, tla::ConstTile<T> X, tla::Tile<T> Y, tla::Panel<T> P);

#pragma tla algorithm requires(n <= m && p >= 1)
template <typename T> void f(int p, tla::Matrix<T> A) {
  if (A.mt() > 1 && A.nt() > 0) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), A(0, 0), A(0, 0), T(1), A(1, 0));
    #pragma tla task
    mix(p, A(0, 0), A(0, 0), A.panel(0, A.mt(), 0));
  }
}
