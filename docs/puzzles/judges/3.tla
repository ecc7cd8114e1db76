#include HETC_PUZZLE

#pragma tla algorithm shape(U(n, n), B(n, k)) input(U : dominant, B : random) \
    check(trsm(Left, Upper, NoTrans, NonUnit, 1, U, B))
template <typename T> void puzzle(tla::Matrix<T> U, tla::Matrix<T> B) { solve_upper(U, B); }
