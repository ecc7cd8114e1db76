#include "scale.hpp"

template <typename T> void scaleRows(tla::ConstTile<T> d, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) *= d(i, 0);
}
template void scaleRows(tla::ConstTile<float>, tla::Tile<float>);
template void scaleRows(tla::ConstTile<double>, tla::Tile<double>);
