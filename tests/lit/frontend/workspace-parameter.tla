// A workspace parameter is the caller's: it may be read without being written. Its shape is a clause's; sizes m, n and k
// become those of a matrix.
// RUN: %hetc --emit=ir %s --algorithm factor | FileCheck %s
// RUN: %hetc --emit=ir %s --algorithm apply | FileCheck %s --check-prefix=APPLY
// RUN: %hetc --emit=cpp %s --algorithm factor | FileCheck %s --check-prefix=CPP
// RUN: %hetc -c %s --algorithm factor -o %t.o
#include <tla/tla.hpp>

#pragma tla kernel info(continue)
template <typename T> int make(int ib, tla::Tile<T> A, tla::OutTile<T> W, tla::OutTile<int> p);
#pragma tla kernel
template <typename T> void use(tla::Op op, int ib, tla::ConstTile<T> A, tla::ConstTile<T> W, tla::Tile<T> B);

// The body of an inlined algorithm sees the caller's workspace, also as a matrix.
#pragma tla algorithm
template <typename T> void inner(tla::Matrix<T> A, tla::Matrix<T> W, tla::Workspace<int> p, int ib) {
  for (int k = 0; k < tla::min(W.mt(), W.nt()); ++k) {
    #pragma tla task
    make(ib, A(k, k), W(k, k), p(k, 0));
  }
}

#pragma tla algorithm shape(W(A.mt(), A.nt(), ib, A.nb()), V(n, m, A.nb()), B(m, 1)) tune(ib : 16 | 32 | 64) \
    check(qr(A, apply(ib, A, W)))
template <typename T> void factor(tla::Matrix<T> A, tla::Workspace<T> W, int ib, tla::Workspace<T> V, tla::Matrix<T> B) {
  tla::Workspace<int> p(A.mt(), 1, A.nb(), 1);
  inner(A, W, p, ib);
  inner(V, W, p, V.mt());
}

#pragma tla algorithm shape(W(A.mt(), A.nt(), ib, A.nb()), B(m, k)) default(ib : 8) tune(ib : 16 | 32)
template <typename T>
void apply(tla::Op op, int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j)
    for (int k = 0; k < tla::min(A.mt(), A.nt()); ++k) {
      #pragma tla task
      use(op, ib, A(k, k), W(k, k), B(k, j));
    }
}

// CHECK: program factor(A, W, ib, V, B)
// CHECK: Workspace<d> W(A.mt(), A.nt(), ib, A.nb())
// CHECK-NEXT: Workspace<d> V(A.n(), A.m(), A.nb())
// CHECK: Workspace<i> p(A.mt(), 1, A.nb(), 1)
// CHECK: int ib = 16 tune(16, 32, 64)
// CHECK: check qr(A, apply(ib, A, W))
// CHECK: kernel make<T>(ib, rw A, write W, write p) returns info continues
// CHECK: for (int k = 0; k < min(A.mt(), A.nt()); ++k)
// CHECK: task 0 make(ib, rw A(k, k), write W(k, k), write p(k, 0))
// CHECK: task 1 make(V.mt(), rw V(k_1, k_1), write W(k_1, k_1), write p(k_1, 0))

// APPLY: int ib = 8 tune(16, 32)
// APPLY: read W(k, k)

// CPP: constexpr rt::TaskClass make__0 = {"make", {{.*}}, 0, false, true, rt::TaskDevice::Any, true, false, arguments_make__0};
// CPP: const tla::Workspace<T> W(*arguments.matrices[1]);
// CPP: const tla::Workspace<T> V(*arguments.matrices[2]);
// CPP: const tla::Workspace<int> p(*tla::Storage::makeWorkspace(rt::factor(A.mt(), A.nb(), {{.*}}), 1, A.nb(), 1, sizeof(int)));
// CPP: W__tiles = tasks.matrix(W.storage(), "W");
// CPP: p__tiles = tasks.workspace(
// CPP: long tilesDown_W(
// CPP: return A.mt();
// CPP: long rows_W(
// CPP: return long(A.mt()) * ib;
// CPP: long tilesDown_V(
// CPP: return V.mt();
// CPP: constexpr rt::WorkspaceShape workspace_V
// CPP: {"W", tla::Shape::General, rt::ElementType::D, noElements, noElements, "A.mt() x A.nt() tiles", "", nullptr, 0, true, false, &workspace_W, false, nullptr},
// CPP: constexpr int candidates_ib[] = {16, 32, 64};
// CPP: {"ib", "int", true, {static_cast<long>(16), 0, 0}, candidates_ib, 3},
// CPP: ::factor<T>(tla::Matrix<T>(*arguments.matrices[0]), tla::Workspace<T>(*arguments.matrices[1]), rt::scalar<int>(arguments.scalars[0]),
// CPP: constexpr int checkedMatrices[] = {0, 1, -1, -1};
// CPP: constexpr int checkedScalars[] = {-1, 0, -1};
// CPP: const char *const checkArguments[] = {"A", "apply(ib, A, W)", nullptr};
// CPP: serial, {checked::generate, checkedMatrices, 3, checkedScalars, 2, nullptr}, nullptr, nullptr, {}, countTasks};
