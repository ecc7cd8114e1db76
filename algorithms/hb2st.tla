#pragma once
#include "eigen/back.hpp"
#include "eigen/chase.hpp"

/// Reduces the band that he2hb left in A to a tridiagonal matrix with diagonal d and subdiagonal e(0) .. e(n - 2), on the node of tile
/// (0, 0): parallelograms of G sweeps by C chunks. X(t, s), F(t, s): the reflectors of the sweeps s nb .. s nb + nb - 1 that begin in row
/// t of tiles, as applyDiamond takes them.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1), X(A.nt(), A.nt(), A.nb() + ib, A.nb()), F(A.nt(), A.nt(), ib, A.nb())) \
    default(G : 8, C : 4, ib : 32) requires(n >= 1, G >= 1, C >= 1, ib >= 1)
template <typename T>
void hb2st_chase(int G, int C, int ib, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Workspace<T> X,
                 tla::Workspace<T> F) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 2 * b, b);  // columns of the band
  tla::Workspace<T> V(nt * p, nt * q, b, b); // V(t, s), a column for each sweep
  for (int t = 0; t < nt; ++t) {
    if (t + 1 < nt) {
      #pragma tla task
      bandTile(A(t, t), A(t + 1, t), B(t * p, 0));
    } else {
      #pragma tla task
      bandTileLast(A(t, t), B(t * p, 0));
    }
  }
  for (int s = 0; s < nt; ++s) {
    for (int t = s; t < nt; ++t) {
      #pragma tla task
      laset(T(0), T(0), V(t * p, s * q));
    }
    for (int g = 0; g < b; g += G)
      for (int c = 0; c - G + 1 < nt - s; c += C) {
        const int c0 = max(0, c - G);
        #pragma tla task
        chase(A.n(), s * b + g, min(G, b - g), c, C, s + c0, c0, B.panel((s + c0) * p, min(nt, s + c + C + 1) * p, 0, p),
              V.panel((s + c0) * p, min(nt, s + c + C) * p, s * q, p));
      }
    for (int t = s; t < nt; ++t) {
      #pragma tla task release(V(t * p, s * q))
      diamond(ib, V(t * p, s * q), X(t, s), F(t, s));
    }
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    tridiagonal(B(t * p, 0), d(t, 0), e(t, 0));
  }
}

/// Z = Q2 Q: groups of nb sweeps from the last on, each from its first rows on. A column of tiles of Q, of `wide` times the order
/// of Z's, is one tile meanwhile, transposed, and on one node.
#pragma tla algorithm shape(X(Z.mt(), Z.mt(), Z.nb() + ib, Z.nb()), F(Z.mt(), Z.mt(), ib, Z.nb()), Q(n, k, wide * Z.nb()), Z(n, k)) default(ib : 12, wide : 2) \
    requires(ib >= 1, n >= 1, wide >= 1)
template <typename T>
void unmtr_hb2st(int ib, int wide, tla::Workspace<T> X, tla::Workspace<T> F,
                 tla::Workspace<tla::RealType<T>> Q, tla::Matrix<T> Z) {
  const int p = Z.p(), q = Z.q(), nt = Z.mt(), b = Z.nb(), blocks = (Z.nt() + wide - 1) / wide;
  tla::Workspace<T> Y(p, blocks, wide * b, nt * b); // transposed
  for (int j = 0; j < blocks; ++j) {
    #pragma tla task
    laset(T(0), T(0), Y(j / q % p, j));
    for (int i = 0; i < Q.mt(); ++i) {
      #pragma tla task
      convert(Q(i, j), Y(j / q % p, j).rows(0, Q(i, j).n()).cols(i * Q.nb(), Q(i, j).m()));
    }
  }
  for (int u = 0; u < nt; ++u) {
    const int s = nt - 1 - u;
    for (int j = 0; j < blocks; ++j) {
      #pragma tla task
      applyDiamonds(ib, s, X.panel(s, nt, s), F.panel(s, nt, s), Y(j / q % p, j));
    }
  }
  const int period = (blocks + q - 1) / q * q; // a view would send all of its tile: what goes home is a tile of its own first
  tla::Workspace<T> S(nt * p, wide * period, b, b);
  for (int j = 0; j < blocks; ++j)
    for (int c = j * wide; c < min((j + 1) * wide, Z.nt()); ++c)
      for (int i = 0; i < nt; ++i) {
        if (p * q == 1) {
          #pragma tla task
          transpose(Y(0, j).rows((c - j * wide) * b, Z(i, c).n()).cols(i * b, Z(i, c).m()), Z(i, c));
        } else {
          #pragma tla task
          transpose(Y(j / q % p, j).rows((c - j * wide) * b, b).cols(i * b, b), S(i * p + j / q % p, (c - j * wide) * period + j));
          #pragma tla task release(S(i * p + j / q % p, (c - j * wide) * period + j))
          geadd(T(1), S(i * p + j / q % p, (c - j * wide) * period + j).rows(0, Z(i, c).m()).cols(0, Z(i, c).n()), T(0), Z(i, c));
        }
      }
}

#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1)) default(G : 8, C : 4) requires(n >= 1, G >= 1, C >= 1) input(A : hermitian, d : zero, e : zero)
template <typename T>
void hb2st(int G, int C, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e) {
  tla::Workspace<T> X(A.nt(), A.nt(), A.nb() + 32, A.nb()), F(A.nt(), A.nt(), 32, A.nb());
  hb2st_chase(G, C, 32, A, d, e, X, F);
}
