#pragma once
#include <tla/tla.hpp>

/// C = min(C, A + B), the product of shortest paths: by way of the vertices between.
template <typename T, typename Left, typename Right, typename Tile>
void throughVertices(const Left &A, const Right &B, Tile &C, int vertices) {
  for (int k = 0; k < vertices; ++k)
    for (int j = 0; j < C.n(); ++j)
      for (int i = 0; i < C.m(); ++i) {
        const T way = A(i, k) + B(k, j);
        if (way < C(i, j))
          C(i, j) = way;
      }
}

/// Shortest ways among the vertices of a diagonal tile.
#pragma tla kernel flops(2 * D.m() * D.m() * D.m()) requires(D.m() == D.n())
template <typename T> void close(tla::Tile<T> D) { throughVertices<T>(D, D, D, D.m()); }

/// Ways that begin among the vertices of D, which is closed.
#pragma tla kernel flops(2 * C.m() * C.n() * D.n()) requires(D.m() == D.n() && D.n() == C.m())
template <typename T> void beginIn(tla::ConstTile<T> D, tla::Tile<T> C) { throughVertices<T>(D, C, C, D.n()); }

/// Ways that end there.
#pragma tla kernel flops(2 * C.m() * C.n() * D.n()) requires(D.m() == D.n() && D.m() == C.n())
template <typename T> void endIn(tla::ConstTile<T> D, tla::Tile<T> C) { throughVertices<T>(C, D, C, D.n()); }

/// Ways through the vertices between.
#pragma tla kernel flops(2 * C.m() * C.n() * A.n()) bound(compute) \
    requires(A.m() == C.m() && A.n() == B.m() && B.n() == C.n())
template <typename T> void passThrough(tla::ConstTile<T> A, tla::ConstTile<T> B, tla::Tile<T> C) {
  throughVertices<T>(A, B, C, A.n());
}
