// Where tasks run: the clause device(...), and that a kernel is the user's own, even one that is called gemm.
// RUN: %hetc --emit=cpp %s | FileCheck %s
// RUN: %hetc run %s -n 20 --nb 5 --quiet --output C=%t.host.npy --seed 3
// RUN: %hetc run %s -n 20 --nb 5 --devices emulated:2 --quiet --seed 3 --output C=%t.devices.npy && cmp %t.host.npy %t.devices.npy
// RUN: %hetc run %s -n 20 --nb 5 --devices emulated:2 --json --seed 3 | FileCheck %s --check-prefix=JSON
// CHECK: constexpr rt::TaskClass gemm__0 = {"gemm", {{.*}}, 0, false, false{{(, rt::TaskDevice::Any, false, false, arguments_gemm__0)?}}};
// CHECK: constexpr rt::TaskClass gemm__1 = {"gemm", {{.*}}, 0, false, false, rt::TaskDevice::Host{{(, false, false, arguments_gemm__1)?}}};
// CHECK: constexpr rt::TaskClass omatcopy__2 = {"omatcopy", {{.*}}, 0, true, false, rt::TaskDevice::Gpu{{(, false, false, arguments_omatcopy__2)?}}};
// CHECK: constexpr rt::TaskClass gemm__3 = {"gemm", {{.*}}, 0, false, false, rt::TaskDevice::Any, true{{(, false, arguments_gemm__3)?}}};
// CHECK: constexpr rt::TaskClass gemm__4 = {"gemm", {{.*}}, 0, false, false, rt::TaskDevice::Gpu, true{{(, false, arguments_gemm__4)?}}};
// Four tile columns of four tiles, half of them on each device: tasks 0 and 2 run there.
// JSON: "devices":[{"rank":0,"name":"emulated:0","tasks":16,{{.*}}"name":"emulated:1","tasks":16,
#include <tla/tla.hpp>

namespace mine {
#pragma tla kernel
template <typename T> void gemm(tla::ConstTile<T> A, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) += A(i, j);
}
} // namespace mine

#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void device(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int j = 0; j < C.nt(); ++j)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task device(any)
      tla::gemm(NoTrans, NoTrans, T(1), A(i, j), A(j, j), T(1), C(i, j));
      #pragma tla task device(host)
      tla::gemm(NoTrans, NoTrans, T(1), A(i, j), A(j, j), T(1), C(i, j));
      #pragma tla task device(gpu)
      tla::omatcopy(NoTrans, T(1), A(i, j), C(i, j));
      #pragma tla task
      mine::gemm(A(i, j), C(i, j));
      #pragma tla task device(gpu)
      mine::gemm(A(i, j), C(i, j));
    }
}
