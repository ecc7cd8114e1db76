// Kernels whose split rules are wrong, each in another way, and one that is right.
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void tilt(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) += T(i < j ? 1 : 2);
}
/// B = alpha A + beta B
#pragma tla kernel
template <typename T> void add(T alpha, tla::ConstTile<T> A, T beta, tla::Tile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) = alpha * A(i, j) + beta * B(i, j);
}
/// Each column plus the sum of those before it.
#pragma tla kernel
template <typename T> void accumulate(tla::Tile<T> A) {
  for (int j = 1; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) += A(i, j - 1);
}
#pragma tla kernel
template <typename T> void accumulateFrom(tla::ConstTile<T> A, tla::Tile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) += A(i, A.n() - 1);
}
/// Of a larger A its leading rows count.
#pragma tla kernel
template <typename T> void blend(tla::ConstTile<T> A, tla::Tile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) += A(i, j);
}
#pragma tla kernel requires(A.m() == B.m())
template <typename T> void blendAll(tla::ConstTile<T> A, tla::Tile<T> B) { blend(A, B); }

namespace tla::split {
/// Wrong where the last slice is wider than the others: its rectangle begins too early.
#pragma tla split
template <typename T> void tilt(CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    ::tilt(A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)));
    #pragma tla task
    ::add(T(1), A.slice(d).rows(0, 0), T(1), A.slice(d).rows(0, 0));
  }
}
/// Wrong unless beta is 0 or 1: all slices scale.
#pragma tla split
template <typename T> void add(T alpha, CutTile<T> A, T beta, CutTile<T> B) {
  for (int d = 0; d < B.slices(); ++d)
    for (int e = 0; e < B.slices(); ++e) {
      #pragma tla task
      ::add(d == e ? alpha : T(0), A.slice(d), beta, B.slice(d));
    }
}
#pragma tla split
template <typename T> void accumulate(CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    ::accumulate(A.slice(d));
    if (d > 0) {
      #pragma tla task
      ::accumulateFrom(A.slice(d - 1), A.slice(d));
    }
  }
}
/// Refused by the kernel that it calls where A is larger.
#pragma tla split
template <typename T> void blend(CutTile<T> A, CutTile<T> B) {
  for (int d = 0; d < B.slices(); ++d) {
    #pragma tla task
    ::blendAll(A.slice(d), B.slice(d));
  }
}
} // namespace tla::split

#pragma tla algorithm input(A : random)
template <typename T> void tilted(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      tilt(A(i, j));
    }
}

#pragma tla algorithm shape(A(m, n), B(m, n)) input(A : random, B : random)
template <typename T> void added(T alpha, T beta, tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      add(alpha, A(i, j), beta, B(i, j));
    }
}

#pragma tla algorithm input(A : random)
template <typename T> void refused(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 1; i < A.mt(); ++i) {
      #pragma tla task
      blend(A(0, j), A(i, j));
    }
}

#pragma tla algorithm input(A : random)
template <typename T> void right(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      accumulate(A(i, j));
    }
}
