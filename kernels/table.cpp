// The tables, filled with the reference bodies, and the kernels of kernels.hpp as calls through them.
#include "tla/kernels/table.hpp"

#include "kernels/instantiate.hpp"
#include "kernels/reference_table.hpp"

namespace tla::kernels {

namespace {
template <typename T> constinit KernelTable<T> table = referenceTable<T>;
} // namespace

template <typename T> KernelTable<T> &kernelTable() { return table<T>; }

template KernelTable<float> &kernelTable();
template KernelTable<double> &kernelTable();
template KernelTable<std::complex<float>> &kernelTable();
template KernelTable<std::complex<double>> &kernelTable();

} // namespace tla::kernels

namespace tla {

template <typename T> int potrf(Uplo uplo, Tile<T> A) { return kernels::table<T>.potrf.body(uplo, A); }
template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  kernels::table<T>.trsm.body(side, uplo, op, diag, alpha, A, B);
}
template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  kernels::table<T>.syrk.body(uplo, op, alpha, A, beta, C);
}
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  kernels::table<T>.herk.body(uplo, op, alpha, A, beta, C);
}
template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  kernels::table<T>.gemm.body(opA, opB, alpha, A, B, beta, C);
}
template <typename T> void scal(T alpha, Tile<T> A) { kernels::table<T>.scal.body(alpha, A); }

} // namespace tla

TLA_INSTANTIATE_ALL_KERNELS
