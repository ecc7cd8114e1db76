#include HETC_PUZZLE

#pragma tla algorithm shape(A(m, n), x(n, 1), y(m, 1)) requires(n >= 1) input(A : random, x : random, y : random) \
    check(gemm(NoTrans, NoTrans, 1, A, x, 0, y))
template <typename T> void puzzle(tla::Matrix<T> A, tla::Matrix<T> x, tla::Matrix<T> y) { matvec(A, x, y); }
