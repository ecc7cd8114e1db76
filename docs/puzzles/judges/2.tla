#include HETC_PUZZLE

#pragma tla algorithm shape(A(m, n), I(m, m), B(n, m)) input(A : random, I : identity, B : random) \
    check(gemm(Trans, NoTrans, 1, A, I, 0, B))
template <typename T> void puzzle(tla::Matrix<T> A, tla::Matrix<T> I, tla::Matrix<T> B) { transpose(A, B); }
