#include <tla/tla.hpp>

/// X = A in full tiles, 2 h x 2 h of them: zeros fill what A has less.
#pragma tla algorithm shape(A(n, n), X(2 * h, 2 * h, A.nb(), A.nb())) requires(2 * h >= A.nt())
template <typename T> void fill(int h, tla::Matrix<T> A, tla::Workspace<T> X) {
  for (int i = 0; i < 2 * h; ++i)
    for (int j = 0; j < 2 * h; ++j) {
      #pragma tla task
      laset(T(0), T(0), X(i, j));
    }
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      geadd(T(1), A(i, j), T(0), X(i, j).rows(0, min(A.nb(), A.m() - i * A.nb())).cols(0, min(A.nb(), A.n() - j * A.nb())));
    }
}

/// Factor q, rows q h, q h + 1, ... of S: quarter (r, c) of X plus `sign` times quarter (s, d).
#pragma tla algorithm shape(X(2 * h, 2 * h, nb, nb), S(7 * h, h, nb, nb)) requires(q >= 0, q < 7)
template <typename T>
void factor(int q, int h, int nb, int r, int c, int sign, int s, int d, tla::Workspace<T> X, tla::Workspace<T> S) {
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < h; ++j) {
      #pragma tla task
      geadd(T(1), X(r * h + i, c * h + j), T(0), S(q * h + i, j));
      if (sign != 0) {
        #pragma tla task
        geadd(T(sign), X(s * h + i, d * h + j), T(1), S(q * h + i, j));
      }
    }
}

/// Product q, rows q h, q h + 1, ... of M, from factors q.
#pragma tla algorithm shape(S(7 * h, h, nb, nb), R(7 * h, h, nb, nb), M(7 * h, h, nb, nb)) requires(q >= 0, q < 7)
template <typename T> void multiply(int q, int h, int nb, tla::Workspace<T> S, tla::Workspace<T> R, tla::Workspace<T> M) {
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < h; ++j)
      for (int l = 0; l < h; ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), S(q * h + i, l), R(q * h + l, j), l == 0 ? T(0) : T(1), M(q * h + i, j));
      }
}

/// Quarter (r, c) of X = `sign` times product q, or that added to it.
#pragma tla algorithm shape(M(7 * h, h, nb, nb), X(2 * h, 2 * h, nb, nb)) requires(q >= 0, q < 7)
template <typename T>
void add(int q, int h, int nb, bool first, int sign, tla::Workspace<T> M, int r, int c, tla::Workspace<T> X) {
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < h; ++j) {
      #pragma tla task
      geadd(T(sign), M(q * h + i, j), first ? T(0) : T(1), X(r * h + i, c * h + j));
    }
}

/// C = A B by seven products of quarters in the place of eight (Strassen 1969).
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) requires(n >= 1) input(A : random, B : random, C : zero)
template <typename T> void strassen(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  const int h = (A.nt() + 1) / 2, nb = A.nb();
  tla::Workspace<T> X(2 * h, 2 * h, nb, nb), Y(2 * h, 2 * h, nb, nb), Z(2 * h, 2 * h, nb, nb);
  tla::Workspace<T> S(7 * h, h, nb, nb), R(7 * h, h, nb, nb), M(7 * h, h, nb, nb);
  fill(h, A, X);
  fill(h, B, Y);

  factor(0, h, nb, 0, 0, 1, 1, 1, X, S); // A00 + A11
  factor(1, h, nb, 1, 0, 1, 1, 1, X, S); // A10 + A11
  factor(2, h, nb, 0, 0, 0, 0, 0, X, S); // A00
  factor(3, h, nb, 1, 1, 0, 0, 0, X, S); // A11
  factor(4, h, nb, 0, 0, 1, 0, 1, X, S); // A00 + A01
  factor(5, h, nb, 1, 0, -1, 0, 0, X, S); // A10 - A00
  factor(6, h, nb, 0, 1, -1, 1, 1, X, S); // A01 - A11

  factor(0, h, nb, 0, 0, 1, 1, 1, Y, R); // B00 + B11
  factor(1, h, nb, 0, 0, 0, 0, 0, Y, R); // B00
  factor(2, h, nb, 0, 1, -1, 1, 1, Y, R); // B01 - B11
  factor(3, h, nb, 1, 0, -1, 0, 0, Y, R); // B10 - B00
  factor(4, h, nb, 1, 1, 0, 0, 0, Y, R); // B11
  factor(5, h, nb, 0, 0, 1, 0, 1, Y, R); // B00 + B01
  factor(6, h, nb, 1, 0, 1, 1, 1, Y, R); // B10 + B11

  multiply(0, h, nb, S, R, M);
  multiply(1, h, nb, S, R, M);
  multiply(2, h, nb, S, R, M);
  multiply(3, h, nb, S, R, M);
  multiply(4, h, nb, S, R, M);
  multiply(5, h, nb, S, R, M);
  multiply(6, h, nb, S, R, M);

  add(0, h, nb, true, 1, M, 0, 0, Z); // C00 = M0 + M3 - M4 + M6
  add(3, h, nb, false, 1, M, 0, 0, Z);
  add(4, h, nb, false, -1, M, 0, 0, Z);
  add(6, h, nb, false, 1, M, 0, 0, Z);
  add(2, h, nb, true, 1, M, 0, 1, Z); // C01 = M2 + M4
  add(4, h, nb, false, 1, M, 0, 1, Z);
  add(1, h, nb, true, 1, M, 1, 0, Z); // C10 = M1 + M3
  add(3, h, nb, false, 1, M, 1, 0, Z);
  add(0, h, nb, true, 1, M, 1, 1, Z); // C11 = M0 - M1 + M2 + M5
  add(1, h, nb, false, -1, M, 1, 1, Z);
  add(2, h, nb, false, 1, M, 1, 1, Z);
  add(5, h, nb, false, 1, M, 1, 1, Z);

  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      omatcopy(NoTrans, T(1), Z(i, j), C(i, j));
    }
}
