// The kernels of kernels.hpp as the reference bodies themselves: what a serial elision links.
#include "kernels/instantiate.hpp"
#include "kernels/reference/reference.hpp"

namespace tla {

template <typename T> int potrf(Uplo uplo, Tile<T> A) { return reference::potrf(uplo, A); }
template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  reference::trsm(side, uplo, op, diag, alpha, A, B);
}
template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  reference::syrk(uplo, op, alpha, A, beta, C);
}
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  reference::herk(uplo, op, alpha, A, beta, C);
}
template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  reference::gemm(opA, opB, alpha, A, B, beta, C);
}
template <typename T> void scal(T alpha, Tile<T> A) { reference::scal(alpha, A); }

} // namespace tla

TLA_INSTANTIATE_ALL_KERNELS
