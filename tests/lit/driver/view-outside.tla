// Whether a view is inside its tile depends on numbers that no proof knows; the run says where one is not.
// RUN: %hetc run %s -m 10 -n 8 --nb 4 --set h=2
// RUN: not %hetc run %s -m 10 -n 8 --nb 4 --set h=3 2>&1 | FileCheck %s
// RUN: not %hetc graph %s -m 10 -n 8 --nb 4 --set h=3 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not %hetc run %s -m 10 -n 8 --nb 4 --set h=3 --serial 2>&1 | FileCheck %s --check-prefix=SERIAL
// SERIAL: 3 rows from 0 on are outside the 2 of the tile
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n))
template <typename T>
void strips(int h, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
// CHECK: strips: 3 rows from 0 on are outside the 2 of the tile (laset on A(2, {{[01]}}), view-outside.tla:[[@LINE+3]])
// GRAPH: 3 rows from 0 on are outside the 2 of the tile for i = 2, j = 0
      #pragma tla task
      laset(T(0), T(1), A(i, j).rows(0, h).cols(1, 3));
    }
}
