#include "judge.hpp"
#include HETC_PUZZLE

#pragma tla algorithm shape(A(n, n)) input(A : tridiagonal) check(llt(A))
template <typename T> void puzzle(tla::LowerMatrix<T> A) { cholesky_tridiagonal(A); }
