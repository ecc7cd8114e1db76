#include HETC_PUZZLE

#pragma tla algorithm shape(A(m, n), C(n, n)) requires(m >= 1) input(A : random, C : random) \
    check(syrk(Lower, Trans, 1, A, 0, C))
template <typename T> void puzzle(tla::Matrix<T> A, tla::Matrix<T> C) { gram(A, C); }
