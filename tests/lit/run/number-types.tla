// Numbers of all types in one program, variables named like types, and values that conversions change: what runs is the
// serial elision, for every type of the program and split, too.
// RUN: rm -rf %t && mkdir %t
// RUN: for both in "s 1" "d 3" "c 3" "z 1"; do type=${both%% *} slices=${both##* }; %hetc %s --type $type --split $slices -o %t/prog && options="-m 30 -n 40 --nb 9 --set h=3 --set x=0.5 --set alpha=0.5 --quiet --no-check" && %t/prog $options --output A=%t/parallel.npy && %t/prog $options --serial --output A=%t/serial.npy && cmp %t/parallel.npy %t/serial.npy || exit 1; done
#include <complex>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T>
void put(int a, double d, float f, std::complex<float> c, tla::RealType<T> r, T t, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = A(i, j) * t + T(tla::RealType<T>(r + a + d + f + c.real()));
}

#pragma tla algorithm
template <typename T> void number_types(T alpha, tla::RealType<T> x, int h, tla::Matrix<T> A) {
  for (int complex_float = 0; complex_float < A.mt(); ++complex_float)
    for (int int8_t = 0; int8_t < A.nt(); ++int8_t) {
      #pragma tla task
      put(h / 2 + int8_t, 1 / 2 + x, 1.5f * h, std::complex<float>(1.0f), T(2) == alpha ? 2 : x, alpha / T(3),
          A(complex_float, int8_t));
      #pragma tla task
      put(x > 0, h / 4.0, float(x), std::complex<float>(float(x)) * 2.0f, h, T(h) * alpha, A(complex_float, int8_t));
    }
}
