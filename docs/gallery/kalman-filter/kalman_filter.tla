#include <tla/tla.hpp>

/// A step of time: X = F X, P = F P F^H + Q.
#pragma tla algorithm shape(F(n, n), Q(n, n), X(n, k), P(n, n), Y(n, k, X.nb()), G(n, n, P.nb())) requires(n >= 1)
template <typename T>
void predict(tla::Matrix<T> F, tla::Matrix<T> Q, tla::Matrix<T> X, tla::Matrix<T> P, tla::Workspace<T> Y, tla::Workspace<T> G) {
  for (int j = 0; j < X.nt(); ++j) {
    for (int i = 0; i < X.mt(); ++i)
      for (int l = 0; l < F.nt(); ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), F(i, l), X(l, j), l == 0 ? T(0) : T(1), Y(i, j));
      }
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task
      geadd(T(1), Y(i, j), T(0), X(i, j));
    }
  }
  for (int i = 0; i < P.mt(); ++i)
    for (int j = 0; j < P.nt(); ++j)
      for (int l = 0; l < F.nt(); ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), F(i, l), P(l, j), l == 0 ? T(0) : T(1), G(i, j));
      }
  for (int i = 0; i < P.mt(); ++i)
    for (int j = 0; j < P.nt(); ++j) {
      #pragma tla task
      geadd(T(1), Q(i, j), T(0), P(i, j));
      for (int l = 0; l < F.nt(); ++l) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(1), G(i, l), F(j, l), T(1), P(i, j));
      }
    }
}

/// What is measured in step s, Z = H X + noise I: with S = H P H^H + noise I = L L^H and U = L^-1 H P, Z becomes L^-1 (Z - H X),
/// X = X + U^H Z and P = P - U^H U.
#pragma tla algorithm shape(H(m, n), Z(m, k), X(n, k), P(n, n), U(m, n, H.nb()), S(m, m, H.nb())) requires(n >= 1)
template <typename T>
void update(int s, T noise, tla::Matrix<T> H, tla::Matrix<T> Z, tla::Matrix<T> X, tla::Matrix<T> P, tla::Workspace<T> U,
            tla::Workspace<T> S) {
  #pragma tla task
  laset(T(0), noise, S(s, s));
  for (int i = 0; i < P.nt(); ++i) {
    for (int l = 0; l < P.mt(); ++l) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), H(s, l), P(l, i), l == 0 ? T(0) : T(1), U(s, i));
    }
    #pragma tla task
    gemm(NoTrans, ConjTrans, T(1), U(s, i), H(s, i), T(1), S(s, s));
  }
  #pragma tla task
  potrf(Lower, S(s, s));
  for (int i = 0; i < P.nt(); ++i) {
    #pragma tla task
    trsm(Left, Lower, NoTrans, NonUnit, T(1), S(s, s), U(s, i));
  }
  for (int j = 0; j < X.nt(); ++j) {
    for (int l = 0; l < X.mt(); ++l) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(-1), H(s, l), X(l, j), T(1), Z(s, j));
    }
    #pragma tla task
    trsm(Left, Lower, NoTrans, NonUnit, T(1), S(s, s), Z(s, j));
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task
      gemm(ConjTrans, NoTrans, T(1), U(s, i), Z(s, j), T(1), X(i, j));
    }
  }
  for (int j = 0; j < P.nt(); ++j)
    for (int i = 0; i < P.mt(); ++i) {
      #pragma tla task
      gemm(ConjTrans, NoTrans, T(-1), U(s, i), U(s, j), T(1), P(i, j));
    }
}

/// Kalman's filter. A state x moves as x = F x + noise of covariance Q; tile row s of H is what is measured in step s, H x + noise
/// of variance `noise`, and that of Z what was. A column of X and Z for each of k such states; P is the covariance of their errors.
#pragma tla algorithm shape(F(n, n), Q(n, n), H(m, n), Z(m, k), X(n, k), P(n, n)) requires(n >= 1, noise > 0) \
    default(k : 1, noise : 1) input(F : identity, Q : spd, H : random, Z : random, X : zero, P : identity)
template <typename T>
void kalman_filter(T noise, tla::Matrix<T> F, tla::Matrix<T> Q, tla::Matrix<T> H, tla::Matrix<T> Z, tla::Matrix<T> X,
                   tla::Matrix<T> P) {
  tla::Workspace<T> U(H.m(), H.n(), H.nb()), S(H.m(), H.m(), H.nb());
  tla::Workspace<T> Y(X.m(), X.n(), X.nb()), G(P.m(), P.n(), P.nb());
  for (int s = 0; s < H.mt(); ++s) {
    predict(F, Q, X, P, Y, G);
    update(s, noise, H, Z, X, P, U, S);
  }
}
