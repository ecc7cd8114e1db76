// Integers are exact wherever a program has them. What is no int where one is wanted is an error, and no other number.
// RUN: %hetc run %s -n 50000 --nb 50000 --no-check --quiet
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=1 --no-check 2>%t.err; test $? -eq 4' && FileCheck %s --check-prefix=ARGUMENT < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=2 --no-check 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=INDEX < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=3 --no-check 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=BOUND < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=4 --no-check 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=PRODUCT < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=5 --no-check 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=VIEW < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=6 --no-check 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=PANEL < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=7 --no-check 2>%t.err; test $? -eq 2' && FileCheck %s --check-prefix=WORKSPACE < %t.err
// RUN: sh -c '%hetc run %s -n 50000 --nb 50000 --set what=8 --no-check 2>%t.err; test $? -eq 4' && FileCheck %s --check-prefix=NARROW < %t.err
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void mark(int total, tla::Tile<T> B) { B(0, 0) = T(total); }
#pragma tla kernel
template <typename T> int markLong(long total, tla::Tile<T> B) {
  B(0, 0) = T(1);
  return total == 2500000000 ? 0 : -1;
}
#pragma tla kernel
template <typename T> void markShort(short total, tla::Tile<T> B) { B(0, 0) = T(total); }
#pragma tla kernel
template <typename T> void markAll(tla::Panel<T> B) { B(0)(0, 0) = T(1); }

// 50000 * 85899 + 17296 is 2^32.
#pragma tla algorithm shape(A(n, 1)) requires(n >= 1, n * n >= n) input(A : zero) default(what : 0)
template <typename T> void large(int what, tla::Matrix<T> A) {
  tla::Workspace<T> W(what == 7 ? A.m() * 85899 + 17297 : 1, 1, 1, 1);
  if (A.m() * A.m() > 0 && A.m() * A.m() / A.m() == A.m()) {
    #pragma tla task
    markLong(A.m() * A.m(), A(0, 0));
    #pragma tla task
    mark(A.m() * A.m() / A.m(), A(0, 0));
  }
  if (A.has(A.m() * 85899 + 17296, 0)) {
    #pragma tla task
    markLong(0, A(0, 0));
  }
  if (what == 1) {
    #pragma tla task
    mark(A.m() * A.m(), A(0, 0));
  }
  if (what == 2) {
    #pragma tla task
    mark(1, A(A.m() * 85899 + 17296, 0));
  }
  if (what == 3)
    for (int k = 0; k < A.m() * A.m(); k += 1000000000) {
      #pragma tla task
      mark(k, A(0, 0));
    }
  if (what == 4 && A.m() * A.m() * A.m() * A.m() * A.m() > 0) {
    #pragma tla task
    mark(1, A(0, 0));
  }
  if (what == 5) {
    #pragma tla task
    mark(1, A(0, 0).rows(A.m() * 85899 + 17296, 1));
  }
  if (what == 6) {
    #pragma tla task
    markAll(A.panel(0, A.m() * 85899 + 17297, 0));
  }
  if (what == 7) {
    #pragma tla task
    mark(1, W(0, 0));
  }
  if (what == 8) {
    #pragma tla task
    markShort(A.m(), A(0, 0));
  }
}
// ARGUMENT: total: A.m() * A.m() is 2500000000, which does not fit 'int' (mark on A(0, 0), large-integers.tla:{{[0-9]+}})
// INDEX: large-integers.tla:{{[0-9]+}}: A.m() * 85899 + 17296 is 4294967296, which does not fit 'int'
// BOUND: large-integers.tla:{{[0-9]+}}: the loop over k goes on to 3000000000, which does not fit 'int' (k += 1000000000)
// PRODUCT: A.m() * A.m() * A.m() * A.m() * A.m() does not fit 64 bits
// VIEW: large-integers.tla:{{[0-9]+}}: A.m() * 85899 + 17296 is 4294967296, which does not fit 'int'
// PANEL: large-integers.tla:{{[0-9]+}}: {{.*}} is 4294967297, which does not fit 'int'
// WORKSPACE: hetc: {{.*the size of workspace W: .* is 4294967297, which does not fit 'int'|needs 32.* GiB, .* available}}
// NARROW: total: A.m() is 50000, which does not fit 'short' (markShort on A(0, 0), large-integers.tla:{{[0-9]+}})
