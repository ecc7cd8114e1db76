// What the tuner may choose in a gemm of ours. Every configuration computes the same bits for the same k and
// instruction set, but for the cut of k into blocks of at most kc.
#pragma once

#include "kernels/vectors/isa.hpp"

namespace tla::kernels::tuned {

using namespace vectors;

/// The outer one of the loops around the micro-kernel: a strip of columns of op(B) stays in the level-1 cache while
/// op(A) comes from level 2 (Columns), or a strip of rows of op(A) stays (Rows).
enum class Order { Columns, Rows };

/// Sizes in real numbers: for complex types two in a row stand for one element of op(A), and for one of op(B).
struct GemmConfiguration {
  Isa isa = Isa::Portable;
  int vectors = 2;  ///< vectors in the micro-kernel's rows (MR); vectors * columns registers accumulate
  int columns = 4;  ///< columns of the micro-kernel (NR), even
  int unroll = 2;   ///< steps of k in one turn of the loop
  int prefetch = 0; ///< steps of k by which op(A) is prefetched ahead; 0: never
  Order order = Order::Columns;
  int mc = 192, kc = 256, nc = 4080; ///< blocks of op(A) are mc x kc, of op(B) kc x nc; 64-bit real numbers
};

/// The limits of a block for numbers of another size: as many bytes. kc stays, and with it the order of additions.
template <typename Real> constexpr int scaled(int size) { return size * 8 / static_cast<int>(sizeof(Real)); }

} // namespace tla::kernels::tuned
