#pragma once
#include "../eigen/scaling.hpp"

/// G = A, or A^H where A is wide: never wider than tall.
#pragma tla algorithm shape(A(m, n), G(max(A.m(), A.n()), min(A.m(), A.n()), A.nb()))
template <typename T>
void tall_copy(tla::Matrix<T> A, tla::Workspace<T> G) {
  for (int i = 0; i < G.mt(); ++i) {
    for (int j = 0; j < G.nt(); ++j) {
      if (A.m() >= A.n()) {
        #pragma tla task
        omatcopy(NoTrans, T(1), A(i, j), G(i, j));
      } else {
        #pragma tla task
        omatcopy(ConjTrans, T(1), A(j, i), G(i, j));
      }
    }
  }
}

/// G = sigma G, with a power of two that keeps the squares of G's elements in the range of their type. A run on a matrix that
/// holds NaN or Inf ends here: info = 1 of requireFinite.
#pragma tla algorithm shape(G(m, n), sigma(1, 1, 1, 1))
template <typename T>
void scale_all(tla::Matrix<T> G, tla::Workspace<tla::RealType<T>> sigma) {
  using Real = tla::RealType<T>;
  tla::Workspace<Real> N(G.p(), G.nt(), 1, 1), largest(1, 1, 1, 1); // N(r, j): of column j, on node row r
  const int p = G.p();
  #pragma tla task
  laset(Real(0), Real(0), largest(0, 0));
  for (int j = 0; j < G.nt(); ++j) {
    for (int r = 0; r < min(p, G.mt()); ++r) {
      #pragma tla task
      largestElement(0, G.panel(r, G.mt(), j, p), N(r, j));
      #pragma tla task
      keepLarger(N(r, j), largest(0, 0));
    }
  }
  #pragma tla task
  requireFinite(largest(0, 0), sigma(0, 0));
  for (int j = 0; j < G.nt(); ++j) {
    for (int i = 0; i < G.mt(); ++i) {
      #pragma tla task
      scaleTile(0, sigma(0, 0), G(i, j));
    }
  }
}

/// R = the upper triangle of G, where G is taller than wide; else all of G.
#pragma tla algorithm shape(G(m, n), R(G.n(), G.n(), G.nb()))
template <typename T>
void square_part(tla::Matrix<T> G, tla::Workspace<T> R) {
  for (int i = 0; i < R.mt(); ++i) {
    for (int j = 0; j < R.nt(); ++j) {
      if (G.m() == G.n() || i < j) {
        #pragma tla task
        omatcopy(NoTrans, T(1), G(i, j).rows(0, R(i, j).m()), R(i, j));
      } else {
        #pragma tla task
        laset(T(0), T(0), R(i, j));
      }
      if (G.m() > G.n() && i == j) {
        #pragma tla task
        tradd(Upper, T(1), G(i, j).rows(0, R(i, j).m()), T(1), R(i, j));
      }
    }
  }
}

/// Y = the rows of Z and zeros below them.
#pragma tla algorithm shape(Z(n, k), Y(m, k)) requires(Y.m() >= Z.m())
template <typename T>
void extend_rows(tla::Workspace<T> Z, tla::Workspace<T> Y) {
  for (int i = 0; i < Y.mt(); ++i) {
    for (int j = 0; j < Y.nt(); ++j) {
      #pragma tla task
      laset(T(0), T(0), Y(i, j));
      if (i < Z.mt()) {
        #pragma tla task
        geadd(T(1), Z(i, j), T(1), Y(i, j).rows(0, Z(i, j).m()));
      }
    }
  }
}

/// Columns of Y and of Z are multiplied by the same number each, so that the first of the largest components of each column of Y
/// becomes real and positive.
#pragma tla algorithm shape(Y(m, k), Z(n, k))
template <typename T>
void turn_pairs(tla::Matrix<T> Y, tla::Matrix<T> Z) {
  tla::Workspace<tla::RealType<T>> S(Y.mt(), Y.nt(), 3, Y.nb());
  for (int j = 0; j < Y.nt(); ++j) {
    for (int i = 0; i < Y.mt(); ++i) {
      #pragma tla task
      largestComponents(i * Y.nb(), Y(i, j), S(i, j));
    }
    for (int i = 1; i < Y.mt(); ++i) {
      #pragma tla task release(S(i, j))
      largerComponents(S(i, j), S(0, j));
    }
    for (int i = 0; i < Y.mt(); ++i) {
      #pragma tla task
      turnColumns(i * Y.nb(), S(0, j), Y(i, j));
    }
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      turnColumns(Y.m(), S(0, j), Z(i, j)); // behind all rows of Y: none is the largest
    }
  }
}

/// U = Y and VH = Z^H or, where A is wide, U = Z and VH = Y^H.
#pragma tla algorithm shape(Y(max(U.m(), VH.n()), U.n(), U.nb()), Z(min(U.m(), VH.n()), U.n(), U.nb()), U(m, k), VH(k, n))
template <typename T>
void place_vectors(tla::Workspace<T> Y, tla::Workspace<T> Z, tla::Matrix<T> U, tla::Matrix<T> VH) {
  for (int j = 0; j < U.nt(); ++j) {
    for (int i = 0; i < U.mt(); ++i) {
      if (U.m() >= VH.n()) {
        #pragma tla task
        omatcopy(NoTrans, T(1), Y(i, j), U(i, j));
      } else {
        #pragma tla task
        omatcopy(NoTrans, T(1), Z(i, j), U(i, j));
      }
    }
    for (int i = 0; i < VH.nt(); ++i) {
      if (U.m() >= VH.n()) {
        #pragma tla task
        omatcopy(ConjTrans, T(1), Z(i, j), VH(j, i));
      } else {
        #pragma tla task
        omatcopy(ConjTrans, T(1), Y(i, j), VH(j, i));
      }
    }
  }
}
