// RUN: %hetc --emit=ir --algorithm f %s 2>/dev/null | FileCheck %s
// RUN: %hetc --emit=ir --algorithm caller %s 2>/dev/null | FileCheck %s --check-prefix=CALLER
// RUN: %hetc --emit=cpp --algorithm caller %s 2>/dev/null | FileCheck %s --check-prefix=CXX
#include <tla/tla.hpp>

// An algorithm that calls itself is a function over bounds of ranges and ints; options, numbers and ints that all calls
// pass on are fixed.
#pragma tla algorithm shape(B(n, n))
template <typename T> void f(Op op, int leaf, int level, tla::LowerMatrix<T> A, tla::Matrix<T> B) {
  if (A.nt() > leaf) {
    const int half = A.nt() / 2;
    f(op, leaf, level + 1, A.tiles(0, half), B.tiles(0, half, 0, half));
  } else if (A.nt() > 0) {
    #pragma tla task priority(level)
    herk(Lower, op, -1, B(0, 0), 1, A(0, 0));
  }
}
// CHECK: function f(level_1, A_begin, A_end, B_row, B_rowEnd, B_column, B_columnEnd) of f part A(A, A_begin, A_end, A_begin, A_end) part B(B, B_row, B_rowEnd, B_column, B_columnEnd)
// CHECK-NEXT: if (max(0, A_end - A_begin) > leaf)
// CHECK-NEXT: call f(level_1 + 1, A_begin, A_begin + max(0, A_end - A_begin) / 2, B_row, B_row + max(0, A_end - A_begin) / 2, B_column, B_column + max(0, A_end - A_begin) / 2)
// CHECK: task 0 tla::herk(Lower, op, -1, read B(B_row, B_column){{.*}}, 1, rw A(A_begin, A_begin){{.*}}) priority(level_1)
// CHECK: {{^  }}call f(level, 0, A.nt(), 0, B.mt(), 0, B.nt())

// Other matrices and options are another function; a transpose is one of its own.
#pragma tla algorithm shape(B(n, n), C(n, n))
template <typename T> void caller(tla::LowerMatrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  f(NoTrans, 1, 0, A, B);
  f(NoTrans, 1, 3, A, B);
  f(NoTrans, 2, 0, A, B);
  f(NoTrans, 1, 0, A, C);
  f(NoTrans, 1, 0, A, conjTrans(B));
}
// CALLER: {{^  }}call f(0, 0, A.nt(), 0, B.mt(), 0, B.nt())
// CALLER-NEXT: {{^  }}call f(3, 0, A.nt(), 0, B.mt(), 0, B.nt())
// CALLER-NEXT: {{^  }}call f_1(0, 0, A.nt(), 0, B.mt(), 0, B.nt())
// CALLER-NEXT: {{^  }}call f_2(0, 0, A.nt(), 0, C.mt(), 0, C.nt())
// CALLER-NEXT: {{^  }}call f_3(0, 0, A.nt(), 0, B.mt(), 0, B.nt())
// CXX: call__f_3 = [&]({{.*}} int level_{{.*}} int A_begin_{{.*}} int B_rowEnd_
// CXX-NEXT: const rt::NestedCall nested__(calls__, "recursive-algorithm.tla:9", "f");
