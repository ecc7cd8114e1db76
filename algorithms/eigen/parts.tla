#pragma once
#include "scaling.hpp"

/// V = the columns of Q from number `first` on.
#pragma tla algorithm shape(Q(n, n), V(Q.m(), k, Q.nb())) requires(first >= 0)
template <typename T>
void take_columns(int first, tla::Workspace<T> Q, tla::Workspace<T> V) {
  const int nb = Q.nb();
  for (int j = 0; j < V.nt(); ++j) {
    const int column = (first + j * nb) / nb, offset = (first + j * nb) % nb;
    for (int i = 0; i < V.mt(); ++i) {
      const int width = min(V(i, j).n(), nb - offset), rest = V(i, j).n() - width;
      #pragma tla task
      laset(T(0), T(0), V(i, j));
      #pragma tla task
      geadd(T(1), Q(i, column).cols(offset, width), T(1), V(i, j).cols(0, width));
      if (rest > 0) {
        #pragma tla task
        geadd(T(1), Q(i, column + 1).cols(0, rest), T(1), V(i, j).cols(width, rest));
      }
    }
  }
}

/// w = the elements of v from number `first` on, whose tiles are larger.
#pragma tla algorithm shape(v(n, 1, large), w(k, 1)) requires(first >= 0, large >= 1)
template <typename T>
void take_rows(int first, int large, tla::Workspace<T> v, tla::Matrix<T> w) {
  for (int t = 0; t < w.mt(); ++t) {
    const int row = (first + t * w.mb()) / large, offset = (first + t * w.mb()) % large;
    const int height = min(w(t, 0).m(), large - offset), rest = w(t, 0).m() - height;
    #pragma tla task
    laset(T(0), T(0), w(t, 0));
    #pragma tla task
    geadd(T(1), v(row, 0).rows(offset, height), T(1), w(t, 0).rows(0, height));
    if (rest > 0) {
      #pragma tla task
      geadd(T(1), v(row + 1, 0).rows(0, rest), T(1), w(t, 0).rows(height, rest));
    }
  }
}

/// v = w in larger tiles, each of `wide` of those of w.
#pragma tla algorithm shape(w(n, 1), v(n, 1, wide * w.mb())) requires(wide >= 1)
template <typename T>
void group_rows(int wide, tla::Workspace<T> w, tla::Workspace<T> v) {
  for (int t = 0; t < w.mt(); ++t) {
    if (t % wide == 0) {
      #pragma tla task
      laset(T(0), T(0), v(t / wide, 0));
    }
    #pragma tla task
    geadd(T(1), w(t, 0), T(1), v(t / wide, 0).rows(t % wide * w.mb(), w(t, 0).m()));
  }
}

/// w = w / sigma.
#pragma tla algorithm shape(sigma(1, 1, 1, 1), w(k, 1))
template <typename T>
void unscale_values(tla::Workspace<T> sigma, tla::Matrix<T> w) {
  for (int t = 0; t < w.mt(); ++t) {
    #pragma tla task
    unscale(sigma(0, 0), w(t, 0));
  }
}
