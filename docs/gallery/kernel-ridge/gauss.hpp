#pragma once
#include <tla/tla.hpp>

#include <cmath>

/// K(i, j) = K(i, j) + |x(i) - y(j)|^2, where the points are rows of X and Y; K begins as zero where `first` is 1.
#pragma tla kernel flops(3 * K.m() * K.n() * X.n()) writes(K if first == 1) \
    requires(X.m() == K.m() && Y.m() == K.n() && X.n() == Y.n())
template <typename T> void addDistances(int first, tla::ConstTile<T> X, tla::ConstTile<T> Y, tla::Tile<T> K) {
  for (int j = 0; j < K.n(); ++j)
    for (int i = 0; i < K.m(); ++i) {
      T square = first == 1 ? T(0) : K(i, j);
      for (int l = 0; l < X.n(); ++l)
        square += (X(i, l) - Y(j, l)) * (X(i, l) - Y(j, l));
      K(i, j) = square;
    }
}

/// K(i, j) = exp(-K(i, j) / (2 width^2)), and `ridge` more on the diagonal of the tile.
#pragma tla kernel flops(10 * K.m() * K.n())
template <typename T> void gauss(T width, T ridge, tla::Tile<T> K) {
  for (int j = 0; j < K.n(); ++j)
    for (int i = 0; i < K.m(); ++i)
      K(i, j) = std::exp(-K(i, j) / (2 * width * width)) + (i == j ? ridge : T(0));
}
