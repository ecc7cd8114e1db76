// Rows and columns of tiles: the access is to the whole tile, the kernel and its flop count see the view, and what is only
// written in part is read, too.
// RUN: %hetc check %s 2>&1 | FileCheck %s --check-prefix=FINE --implicit-check-not=remark
// RUN: %hetc --emit=ir %s | FileCheck %s
// RUN: %hetc --emit=deps %s | FileCheck %s --check-prefix=DEPS
// RUN: %hetc --emit=cpp %s | FileCheck %s --check-prefix=CPP
// RUN: %hetc -c %s -o %t.o
// FINE: views: fine (4 task statements)
#include <tla/tla.hpp>

#pragma tla kernel flops(B.m() * B.n())
template <typename T> void combine(int i, tla::ConstTile<T> A, tla::Tile<T> B);
#pragma tla kernel
template <typename T> void clear(tla::OutTile<T> A);

#pragma tla algorithm
template <typename T> void views(int shift, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int i = 0; i < A.mt() && A.nt() > 0; ++i) {
    const int rows = min(A.nb(), A.m() - i * A.nb());
    #pragma tla task
    clear(W(i, 0));
// CHECK: combine(i, read A(i, 0), rw W(i, 0).rows(1, min(A.nb(), A.m() - i * A.nb()) - 1).cols(0, A.nb() / 2 - 1))
// CPP: const int i = task.index(0);
// CPP-NEXT: const int rows__2 = task.index(1);
// CPP-NEXT: const int cols__2 = task.index(2);
// CPP-NEXT: static rt::GuardedCalls guarded__;
// CPP-NEXT: static constexpr rt::GuardedPart part2__ = {"B", "W(i, 0).rows(1, min(A.nb(), A.m() - i * A.nb()) - 1).cols(0, A.nb() / 2 - 1)"};
// CPP-NEXT: if (guarded__.isDue(rt::GuardedCalls::sizesOf<T>(task.tile<T>(0).rows(1, rows__2).cols(0, cols__2))))
// CPP-NEXT: rt::requireInsideParts({{.*}}, rt::GuardedValue(i), rt::GuardedTile<T>(task.tile<T>(1), task.tile<T>(1), nullptr), rt::GuardedTile<T>(task.tile<T>(0), task.tile<T>(0).rows(1, rows__2).cols(0, cols__2), &part2__));
// CPP-NEXT: ::combine(i, task.tile<T>(1), task.tile<T>(0).rows(1, rows__2).cols(0, cols__2));
// CPP: flops(rt::sizeOf(task.tile<T>(0).rows(1, rows__2).cols(0, cols__2)))
    #pragma tla task at(W(i, 0))
    combine(i, A(i, 0), W(i, 0).rows(1, rows - 1).cols(0, A.nb() / 2 - 1));
// CHECK: combine(shift, read W(i, 0).rows(shift + 1, 0).cols(shift, 0), rw A(i, 0))
    #pragma tla task release(W(i, 0))
    combine(shift, W(i, 0).cols(shift, 0).rows(shift, rows).rows(1, 0), A(i, 0));
// CHECK: clear(rw A(i, 0).rows(0, 0))
// DEPS: rw { S3[i] -> A[i, 0] }
    #pragma tla task
    clear(A(i, 0).rows(0, 0));
  }
// CPP: rt::append(tasks, combine__1, {{.*}}, {i, rt::to<int>(min(A.nb(), A.m() - long(i) * A.nb()) - 1, {{.*}}, "views.tla:{{[0-9]+}}"), A.nb() / 2 - 1}, {rt::readWrite(W__tiles, i, 0), rt::read(A__tiles, i, 0)});
// CPP: rt::append(tasks, clear__3, {{.*}}, {}, {rt::readWrite(A__tiles, i, 0)});
}
