#include HETC_PUZZLE

#pragma tla algorithm shape(A(m, k), B(k, n), C(m, n)) requires(k >= 1) input(A : random, B : random, C : random) \
    check(gemm(NoTrans, NoTrans, 1, A, B, 0, C))
template <typename T> void puzzle(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) { multiply(A, B, C); }
