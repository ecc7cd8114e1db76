#include HETC_PUZZLE

#pragma tla algorithm shape(x(m, 1), y(m, 1), r(1, 1)) requires(m >= 1) input(x : random, y : random, r : random) \
    check(gemm(Trans, NoTrans, 1, x, y, 0, r))
template <typename T> void puzzle(tla::Matrix<T> x, tla::Matrix<T> y, tla::Matrix<T> r) { dot(x, y, r); }
