// The products that the recursions are made of: those of the back-end whose module this is compiled into.
//
// The file a back-end provides defines, in namespace tla::kernels::products, for every element type:
//   gemm, gemmt, syrk, herk, symm, hemm   the kernels, fast for blocks of a tile, too
//   likesStrips<T>()                      whether gemm reads small operands where they lie, so that one who uses an
//                                         operand in several products gains by preparing it, and by working in strips
// and for complex types
//   trsmLeaf, trmmLeaf                    trsm and trmm for a triangle of at most leafSize x leafSize
//   addOuterProduct                       A += alpha x y^H for vectors without gaps (BLAS: gerc)
//   multiplyAdjoint                       y = A^H x (BLAS: gemv)
#pragma once

#ifdef TLA_TUNED_PRODUCTS
#include "kernels/tuned/products.hpp"
#else
#include "kernels/openblas/products.hpp"
#endif
