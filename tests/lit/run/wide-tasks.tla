// Tasks record as many numbers as their kernels ask for, and may have more after splitting than their author wrote: what
// runs is the serial elision at any number of slices.
// RUN: rm -rf %t && mkdir %t
// RUN: for slices in 1 2 3; do %hetc %s --split $slices -o %t/prog && for n in 0 1 40; do sizes="-m $n -n 43 -k 27 --nb 12 --quiet --no-check"; %t/prog $sizes --serial --output u=%t/serial.npy && %t/prog $sizes --threads 3 --output u=%t/parallel.npy && cmp %t/serial.npy %t/parallel.npy && %hetc cost %s --split $slices -m $n -n 43 -k 27 --nb 12 --dist 2dbc:2x1 > /dev/null || exit 1; done || exit 1; done
#include <tla/tla.hpp>

#pragma tla kernel flops(a + b + c + d + e + f + g + h + i)
template <typename T> void mark(int a, int b, int c, int d, int e, int f, int g, int h, int i, tla::Tile<T> A) {
  const int values[] = {a, b, c, d, e, f, g, h, i};
  for (int c = 0; c < A.n(); ++c)
    for (int r = 0; r < A.m(); ++r)
      for (const int value : values)
        A(r, c) = T(0.5) * A(r, c) + T(value);
}

/// Eight numbers of the task's own, and those of its views or slices.
#pragma tla kernel
template <typename T>
void join(int a, int b, int c, int d, int e, int f, int g, int h, tla::ConstPanel<T> P, tla::Tile<T> A) {
  for (int c = 0; c < A.n(); ++c)
    for (int r = 0; r < A.m(); ++r)
      A(r, c) += T(a * b + c * d + e * f + g * h + P.m() + P.n());
}

#pragma tla algorithm shape(u(m, n), f(k, n)) input(u : random, f : random)
template <typename T> void wide(tla::Matrix<T> u, tla::Matrix<T> f) {
  for (int i = 0; i < u.mt(); ++i)
    for (int j = 0; j < u.nt(); ++j)
      for (int s = 0; s < 2; ++s) {
        #pragma tla task
        mark(i, j, s, u.mt(), u.nt(), f.mt(), f.nt(), u.m(), u.n() + f.m(), u(i, j));
        #pragma tla task
        join(i, j, s, u.mt(), u.nt(), f.mt(), f.nt(), u.m(), f.panel(min(s, f.mt()), f.mt(), j), u(i, j));
        #pragma tla task
        join(i, j, s, u.mt(), u.nt(), f.mt(), f.nt(), u.m(), f.panel(0, min(s + 1, f.mt()), j),
             u(i, j).rows(i - i, s - s + 1).cols(s - s, j - j + 1));
      }
}
