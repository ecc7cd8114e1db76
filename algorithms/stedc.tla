#pragma once
#include "eigen/dc.hpp"

/// Eigenvalues w, ascending, and eigenvectors Q of the tridiagonal matrix with diagonal d and subdiagonal e, by divide and conquer:
/// leaves of one tile, then blocks of h tiles are merged in pairs, by a product of the vectors Q of the halves with those M of the merged
/// problem in terms of them.
#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1), Q(n, n)) requires(n >= 1, Q.nb() >= 11) input(d : random, e : random, w : zero, Q : zero)
template <typename T>
void stedc(tla::Matrix<T> d, tla::Matrix<T> e, tla::Matrix<T> w, tla::Matrix<T> Q) {
  const int nt = Q.nt(), nb = Q.nb(), p = Q.p();
  tla::Workspace<T> D(Q.n(), 11, nb), S(Q.n(), 5, nb), R(Q.n(), 2, nb), Z(Q.n(), 1, nb), H(nt, 1, 4, 1);
  tla::Workspace<T> M(nt * Q.p(), nt, nb, nb), P(Q.n(), Q.n(), nb), scale(1, 1, 1, 1);
  #pragma tla task
  largest(d.panel(0, nt, 0), e.panel(0, nt, 0), scale(0, 0));
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    leaf(t > 0 ? 1 : 0, t + 1 < nt ? 1 : 0, scale(0, 0), d(t, 0), e(t, 0), e(max(t - 1, 0), 0), S(t, 0), Q(t, t));
  }
  for (int h = 1; h < nt; h *= 2)
    for (int i = 0; i + h < nt; i += 2 * h) {
      const int mid = i + h, end = min(i + 2 * h, nt);
      for (int c = i; c < end; ++c) {
        #pragma tla task
        takeRow(c < mid ? 1 : 0, S(c, 0), Q(c < mid ? mid - 1 : mid, c), D(c, 0));
      }
      #pragma tla task
      deflate(h, scale(0, 0), e(mid - 1, 0), D.panel(i, end, 0), H(i, 0));
      for (int j = i; j < end; ++j) {
        #pragma tla task
        secular(j - i, H(i, 0), D.panel(i, end, 0), R(j, 0));
      }
      for (int j = i; j < end; ++j) {
        #pragma tla task
        recomputeZ(j - i, H(i, 0), D.panel(i, end, 0), R.panel(i, end, 0), Z(j, 0));
      }
      for (int j = i; j < end; ++j) {
        #pragma tla task
        newColumns(2 * h >= nt ? 1 : 0, j - i, H(i, 0), D.panel(i, end, 0), R.panel(i, end, 0), Z.panel(i, end, 0), S(j, 0));
        for (int l = i; l < end; ++l) { // once on each row of nodes that has rows of Q: cheaper than to send it there
          const int first = l < mid ? i : mid, behind = l < mid ? mid : end;
          for (int r = first; r < min(first + p, behind); ++r) {
            #pragma tla task
            vectors(l - i, H(i, 0), D.panel(i, end, 0), Z.panel(i, end, 0), S(j, 0), M(l * p + r % p, j));
          }
        }
      }
      for (int r = i; r < end; ++r) {
        const int first = r < mid ? i : mid, behind = r < mid ? mid : end;
        for (int l = first; l < behind; ++l) {
          #pragma tla task
          compress(D(l, 0), Q(r, l));
        }
        for (int j = i; j < end; ++j) {
          for (int l = first; l < behind; ++l) {
            #pragma tla task
            product(l == first ? 1 : 0, H(i, 0), D(l, 0), S(j, 0), Q(r, l), M(l * p + r % p, j), P(r, j));
          }
        }
        for (int j = i; j < end; ++j) {
          #pragma tla task release(P(r, j))
          decompress(H(i, 0), S(j, 0), P(r, j), Q(r, j));
        }
      }
    }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    eigenvalues(scale(0, 0), S(t, 0), w(t, 0));
  }
}
