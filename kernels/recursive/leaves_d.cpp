// The leaves of the recursions for real types. They need no products, so that all back-ends have the same.
#include "kernels/recursive/getrf_leaf.hpp"
#include "kernels/recursive/qr_leaf.hpp"
#include "kernels/recursive/triangle_leaf.hpp"

namespace tla::kernels::recursive {
template void triangleLeaf<LeafTask::Solve>(Side, Uplo, Op, Diag, double, ConstTile<double>, Tile<double>);
template void triangleLeaf<LeafTask::Multiply>(Side, Uplo, Op, Diag, double, ConstTile<double>, Tile<double>);
template int getrfDirect(int row, Tile<double> A, int *ipiv);
template void addProductsHere(ConstTile<double> A, ConstTile<double> B, Tile<double> W);
template void factorRealLeafHere(QrColumns<double> A, Tile<double> W);
} // namespace tla::kernels::recursive
