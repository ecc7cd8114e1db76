#pragma once
#include "../eigen/residual.tla"
#include "judge.hpp"

/// D = op(A) Y - Z diag(s).
#pragma tla algorithm shape(A(m, n), s(k, 1), Y(op == NoTrans ? n : m, k), Z(op == NoTrans ? m : n, k), D(Z.m(), Z.n(), Z.nb())) \
    requires(op != Trans) default(op : NoTrans)
template <typename T>
void triplet_difference(Op op, tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> s, tla::Matrix<T> Y, tla::Matrix<T> Z, tla::Workspace<T> D) {
  for (int j = 0; j < Z.nt(); ++j) {
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(0), D(i, j));
      for (int l = 0; l < Y.mt(); ++l) {
        if (op == NoTrans) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, l), Y(l, j), T(1), D(i, j));
        } else {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(1), A(l, i), Y(l, j), T(1), D(i, j));
        }
      }
    }
  }
  subtract_scaled(s, Z, D);
}
