// The leaves of the recursions for real types. They need no products, so that all back-ends have the same.
#include "kernels/recursive/getrf_leaf.hpp"
#include "kernels/recursive/qr_leaf.hpp"
#include "kernels/recursive/triangle_leaf.hpp"

namespace tla::kernels::recursive {
template void triangleLeaf<LeafTask::Solve>(Side, Uplo, Op, Diag, float, ConstTile<float>, Tile<float>);
template void triangleLeaf<LeafTask::Multiply>(Side, Uplo, Op, Diag, float, ConstTile<float>, Tile<float>);
template int getrfDirect(int row, Tile<float> A, int *ipiv);
template void addProductsHere(ConstTile<float> A, ConstTile<float> B, Tile<float> W);
template void factorRealLeafHere(QrColumns<float> A, Tile<float> W);
} // namespace tla::kernels::recursive
