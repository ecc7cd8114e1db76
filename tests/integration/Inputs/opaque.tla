// Programs that look at what split rules call opaque, in ways of their own.
#include <tla/split.hpp>
#include <tla/tla.hpp>

/// F = W, as far as there is room.
#pragma tla kernel
template <typename T> void copyFactors(tla::ConstTile<T> W, tla::Tile<T> F) {
  for (int j = 0; j < tla::min(W.n(), F.n()); ++j)
    for (int i = 0; i < tla::min(W.m(), F.m()); ++i)
      F(i, j) = W(i, j);
}
namespace tla::split {
#pragma tla split
template <typename T> void copyFactors(CutTile<T> W, CutTile<T> F) {
  for (int d = 0; d < F.slices(); ++d) {
    #pragma tla task
    ::copyFactors(W.slice(d), F.slice(d));
  }
}
} // namespace tla::split

/// geqrt, with a rule that does not say that W is another's.
#pragma tla kernel
template <typename T> void factor(int ib, tla::Tile<T> A, tla::OutTile<T> W) { tla::geqrt<T>(ib, A, W); }
namespace tla::split {
#pragma tla split
template <typename T> void factor(int ib, CutTile<T> A, CutTile<T> W) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    geqrt(ib, A.slice(d).below(A.sliceBegin(d)), W.slice(d));
    for (int e = d + 1; e < A.slices(); ++e) {
      #pragma tla task
      unmqr(ConjTrans, ib, A.slice(d).below(A.sliceBegin(d)), W.slice(d), A.slice(e).below(A.sliceBegin(d)));
    }
  }
}
} // namespace tla::split

/// By a rule that is for the documented layout; W2 stays opaque.
#pragma tla algorithm shape(A(m, n), F(m, n)) tune(ib : 2 | 4) input(A : random)
template <typename T> void factors(int ib, tla::Matrix<T> A, tla::Matrix<T> F) {
  tla::Workspace<T> W(A.mt(), A.nt(), ib, A.nb());
  tla::Workspace<T> W2(A.mt(), A.nt(), ib, A.nb());
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrt(ib, A(k, k), W(k, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      unmqr(ConjTrans, ib, A(k, k).lower(), W(k, k), A(k, j));
    }
    #pragma tla task
    copyFactors(W(k, k), F(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      tsqrt(ib, A(k, k).upper(), A(i, k), W2(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        tsmqr(ConjTrans, ib, A(k, j), A(i, j), A(i, k), W2(i, k));
      }
    }
  }
}

/// W is the caller's.
#pragma tla algorithm shape(A(m, n), W(m, n)) tune(ib : 2 | 4) input(A : random)
template <typename T> void given(int ib, tla::Matrix<T> A, tla::Matrix<T> W) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    laset(T(0), T(0), W(k, k));
    #pragma tla task
    geqrt(min(ib, 1), A(k, k), W(k, k));
  }
}

#pragma tla algorithm shape(A(m, n), F(m, n)) tune(ib : 2 | 4) input(A : random)
template <typename T> void unsaid(int ib, tla::Matrix<T> A, tla::Matrix<T> F) {
  tla::Workspace<T> W(A.mt(), A.nt(), ib, A.nb());
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    factor(ib, A(k, k), W(k, k));
    #pragma tla task
    copyFactors(W(k, k), F(k, k));
  }
}
