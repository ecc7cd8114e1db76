// Instantiates the kernels of kernels.hpp for the four element types, in a file that defines them.
#pragma once

#include <complex>
#include <tla/kernels/kernels.hpp>

#define TLA_INSTANTIATE_KERNELS(T)                                                                                     \
  template int potrf<T>(Uplo, Tile<T>);                                                                                \
  template void trsm<T>(Side, Uplo, Op, Diag, T, ConstTile<T>, Tile<T>);                                               \
  template void syrk<T>(Uplo, Op, T, ConstTile<T>, T, Tile<T>);                                                        \
  template void herk<T>(Uplo, Op, RealType<T>, ConstTile<T>, RealType<T>, Tile<T>);                                    \
  template void gemm<T>(Op, Op, T, ConstTile<T>, ConstTile<T>, T, Tile<T>);                                            \
  template void scal<T>(T, Tile<T>);

#define TLA_INSTANTIATE_ALL_KERNELS                                                                                    \
  namespace tla {                                                                                                      \
  TLA_INSTANTIATE_KERNELS(float)                                                                                       \
  TLA_INSTANTIATE_KERNELS(double)                                                                                      \
  TLA_INSTANTIATE_KERNELS(std::complex<float>)                                                                         \
  TLA_INSTANTIATE_KERNELS(std::complex<double>)                                                                        \
  }
