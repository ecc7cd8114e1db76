#include HETC_PUZZLE

#pragma tla algorithm shape(A(n, n)) input(A : dominant) check(trtri(Lower, NonUnit, A))
template <typename T> void puzzle(tla::Matrix<T> A) { invert_lower(A); }
