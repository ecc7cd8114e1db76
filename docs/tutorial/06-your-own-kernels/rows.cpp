#include "rows.hpp"

template <typename T> void addRowSums(int first, tla::ConstTile<T> A, tla::Tile<T> s) {
  for (int i = 0; i < A.m(); ++i) {
    T sum = first == 1 ? T(0) : s(i, 0);
    for (int j = 0; j < A.n(); ++j)
      sum += A(i, j);
    s(i, 0) = sum;
  }
}

template <typename T> int divideRows(tla::ConstTile<T> s, tla::Tile<T> A) {
  for (int i = 0; i < A.m(); ++i) {
    if (s(i, 0) == T(0))
      return i + 1;
    for (int j = 0; j < A.n(); ++j)
      A(i, j) /= s(i, 0);
  }
  return 0;
}

template void addRowSums(int, tla::ConstTile<double>, tla::Tile<double>);
template int divideRows(tla::ConstTile<double>, tla::Tile<double>);
