#include "sweep.hpp"

/// Poisson's equation on a grid of m x n points, which is zero around it: `sweeps` sweeps of successive over-relaxation (SOR), from
/// U on, each through all points from the first to the last. F is the right-hand side times the square of the distance of points.
#pragma tla algorithm shape(F(m, n), U(m, n)) default(sweeps : 10, omega : 1.5) input(F : random, U : zero)
template <typename T> void wavefront(int sweeps, T omega, tla::Matrix<T> F, tla::Matrix<T> U) {
  tla::Workspace<T> above(U.mt() + 1, U.nt(), 1, U.nb()), below(U.mt() + 1, U.nt(), 1, U.nb());
  tla::Workspace<T> left(U.mt(), U.nt() + 1, U.nb(), 1), right(U.mt(), U.nt() + 1, U.nb(), 1);
  for (int j = 0; j < U.nt(); ++j) {
    #pragma tla task
    laset(T(0), T(0), above(0, j));
    #pragma tla task
    laset(T(0), T(0), below(U.mt(), j));
  }
  for (int i = 0; i < U.mt(); ++i) {
    #pragma tla task
    laset(T(0), T(0), left(i, 0));
    #pragma tla task
    laset(T(0), T(0), right(i, U.nt()));
  }
  for (int i = 0; i < U.mt(); ++i)
    for (int j = 0; j < U.nt(); ++j) {
      #pragma tla task
      rims(U(i, j), below(i, j), right(i, j));
    }
  for (int s = 0; s < sweeps; ++s)
    for (int i = 0; i < U.mt(); ++i)
      for (int j = 0; j < U.nt(); ++j) {
        #pragma tla task
        sweep(omega, F(i, j), above(i, j), left(i, j), below(i + 1, j), right(i, j + 1), U(i, j), below(i, j), above(i + 1, j),
              right(i, j), left(i, j + 1));
      }
}
