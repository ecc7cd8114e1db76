#include "sylvester_tile.hpp"

#include <complex>

template <typename T> int sylvesterTile(tla::ConstTile<T> A, tla::ConstTile<T> B, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = C.m() - 1; i >= 0; --i) {
      const T divisor = A(i, i) + B(j, j);
      if (divisor == T(0))
        return 1;
      T sum = C(i, j);
      for (int l = i + 1; l < C.m(); ++l)
        sum -= A(i, l) * C(l, j);
      for (int l = 0; l < j; ++l)
        sum -= C(i, l) * B(l, j);
      C(i, j) = sum / divisor;
    }
  return 0;
}

template int sylvesterTile(tla::ConstTile<double>, tla::ConstTile<double>, tla::Tile<double>);
template int sylvesterTile(tla::ConstTile<std::complex<double>>, tla::ConstTile<std::complex<double>>,
                           tla::Tile<std::complex<double>>);
