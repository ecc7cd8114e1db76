// The bodies of this back-end: signatures and meaning of tla/kernels/kernels.hpp, but tiles lie in the device's memory
// and the work is enqueued on the current launch, when the call returns it has hardly begun. They return 0; info is the
// launch's. Those that table.cpp does not name are declared here and have no body.
#pragma once

#include "kernels/cuda/launch.hpp"

#include <tla/kernels/kernels.hpp>

#include <complex>

namespace tla::kernels::cuda {

#define TLA_KERNEL(result, name, traits, parameters, arguments) template <typename T> result name parameters;
#include <tla/kernels/kernels.def>

/// X = A over the triangle `uplo` of X, its diagonal included, and zeros elsewhere, X a tile of scratch memory; of a
/// unit triangle (Diag::Unit) the diagonal is one. The rest of A is not read.
template <typename T> void copyTriangle(Uplo uplo, Diag diag, ConstTile<T> A, Tile<T> X);

/// C = W + beta C over the triangle `uplo` of C.
template <typename T> void addTriangle(Uplo uplo, ConstTile<T> W, T beta, Tile<T> C);

/// C = beta C over the triangle `uplo` of a Hermitian C, whose diagonal becomes real.
template <typename T> void scaleHermitian(Uplo uplo, RealType<T> beta, Tile<T> C);

/// geqrf of a panel that is one tile, with larft. False: its rows are more than the device has room for; nothing is
/// done then.
template <typename T> bool geqrfTogether(Tile<T> A, OutTile<T> tau, OutTile<T> W);

/// getrf of a panel that is one tile with at least a row and a column; false as above.
template <typename T> bool getrfTogether(int row, Tile<T> A, OutTile<int> ipiv);

} // namespace tla::kernels::cuda

/// Expands a macro of one type for each of the four.
#define TLA_FOR_TYPES(MACRO) MACRO(float) MACRO(double) MACRO(std::complex<float>) MACRO(std::complex<double>)
