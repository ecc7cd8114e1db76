#include "paths.hpp"

/// D(i, j), the length of the edge from i to j, becomes that of the shortest path (Floyd and Warshall, by tiles).
#pragma tla algorithm shape(D(n, n)) input(D : random)
template <typename T> void shortest_paths(tla::Matrix<T> D) {
  for (int k = 0; k < D.nt(); ++k) {
    #pragma tla task
    close(D(k, k));
    for (int j = 0; j < D.nt(); ++j)
      if (j != k) {
        #pragma tla task
        beginIn(D(k, k), D(k, j));
        #pragma tla task
        endIn(D(k, k), D(j, k));
      }
    for (int i = 0; i < D.mt(); ++i)
      for (int j = 0; j < D.nt(); ++j)
        if (i != k && j != k) {
          #pragma tla task
          passThrough(D(i, k), D(k, j), D(i, j));
        }
  }
}
