#include <tla/split.hpp>
#include <tla/tla.hpp>

#include "add_one.hpp"

#include <cmath>

#pragma tla kernel
template <typename T> void quantize(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = std::rint(A(i, j) * T(8)) / T(8);
}

#pragma tla algorithm shape(A(n, n)) input(A : random)
template <typename T> void quantized(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      quantize(A(i, j));
      #pragma tla task
      addOne(A(i, j));
    }
}
