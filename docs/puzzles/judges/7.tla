#include HETC_PUZZLE

#pragma tla algorithm shape(A(n, n), B(n, k)) input(A : dominant, B : random) check(solve(A, B))
template <typename T> void puzzle(tla::Matrix<T> A, tla::Matrix<T> B) { solve_dominant(A, B); }
