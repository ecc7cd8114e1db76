#include <tla/tla.hpp>

// When step k begins, the leading k x k tiles are inverted. Row k becomes -L(k, k)^-1 L(k, 0 .. k - 1) times that inverse,
// tile after tile from the left: what is needed of row k further on is still there.
#pragma tla algorithm shape(A(n, n))
template <typename T> void invert_lower(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    for (int j = 0; j < k; ++j) {
      #pragma tla task
      trmm(Right, Lower, NoTrans, NonUnit, T(-1), A(j, j), A(k, j));
      for (int i = j + 1; i < k; ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(k, i), A(i, j), T(1), A(k, j));
      }
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), A(k, k), A(k, j));
    }
    #pragma tla task
    trtri(Lower, NonUnit, A(k, k));
  }
}
