// Panels of two matrices in one task, a panel as the only output, kernels that take tiles of int and return info, a
// workspace of int, halves of a tile of which one is only written.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %hetc --emit=cpp %s | FileCheck %s --check-prefix=CPP
// RUN: %hetc -c --type=z %s -o %t.o
// CHECK: misc: fine (7 task statements)
// CPP: ::pick(rt::to<int>(long(k) * A__nb, "k * A.nb()", "row"), task.tile<T>(1), task.tile<int>(0), task.tile<int>(2));
// CPP: checked__(task.tile<T>(1), task.tile<T>(2, tla::Region::Upper), task.tile<T>(0, tla::Region::Lower));
// CPP: checked__(rt::TaskPanel<T>(task, 0, length__0), rt::TaskPanel<T>(task, length__0 + 1, length__1), task.tile<T>(length__0));
// CPP: const tla::Workspace<int> w(*tla::Storage::makeWorkspace(rt::factor(A.mt(), A.mb(), {{.*}}), 2, A.mb(), 1, sizeof(int)));
// CPP: const tla::Workspace<T> V(*tla::Storage::makeWorkspace(A.m(), A.n(), A.nb(), sizeof(T)));
// CPP: accesses__.add(rt::PanelAccess{&B__tiles, k, B.mt(), k, rt::Access::ReadWrite});
// CPP-NEXT: accesses__.add(rt::PanelAccess{&A__tiles, k, A.mt(), k, rt::Access::Read});
// CPP: if (uplo == Lower && k + 1 < A.mt()) {
// CPP: double workspaceBytes(
// CPP: bytes += sizeof(int) * (double(A.mt()) * double(2) * double(A.mb()) * double(1));
// CPP-NEXT: bytes += sizeof(T) * (double(A.m()) * double(A.n()));
#include <tla/tla.hpp>
#pragma tla kernel
template <typename T> void panelCopy(int row, tla::ConstPanel<T> A, tla::Panel<T> B);
#pragma tla kernel info(stop)
template <typename T> int pick(int row, tla::ConstTile<T> A, tla::OutTile<int> p, tla::Tile<int> q);
#pragma tla kernel
template <typename T> void split(tla::ConstTile<T> A, tla::OutTile<T> L, tla::OutTile<T> U);
#pragma tla kernel
template <typename T> void two(tla::Panel<T> A, tla::Panel<T> B, tla::ConstTile<T> C);

#pragma tla algorithm shape(B(m, n), p(min(m, n), 1), q(max(m, n), 1), L(n, n)) default(alpha : 0.5)
template <typename T>
void misc(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<int> p, tla::Matrix<int> q, tla::LowerMatrix<T> L, tla::Uplo uplo, T alpha) {
  tla::Workspace<int> w(A.mt(), 2, A.mb(), 1);
  tla::Workspace<T> V(A.m(), A.n(), A.nb());
  const int mn = min(A.mt(), A.nt());
  for (int k = 0; k < mn; ++k) {
    #pragma tla task
    panelCopy(k * A.nb(), A.panel(k, A.mt(), k), B.panel(k, B.mt(), k));
    #pragma tla task
    pick(k * A.nb(), A(k, k), w(k, 0), q(k, 0));
    #pragma tla task
    pick(k * A.nb() + A.mb() / 2, A(k, k), p(k, 0), w(k, 0));
    #pragma tla task at(V(k, k).lower())
    split(A(k, k), B(k, k).upper(), V(k, k).lower());
    #pragma tla task
    split(A(k, k), V(k, k).upper(), B(k, k).lower());
    #pragma tla task
    two(A.panel(0, k, k), B.panel(k, k, 0), V(k, k));
    if (uplo == Lower && k + 1 < A.mt()) {
      #pragma tla task priority(A.nt() - k)
      two(A.panel(k + 1, min(k + 3, A.mt()), k), B.panel(k, k + 1, 0), V(k, k).upper());
    }
  }
}
