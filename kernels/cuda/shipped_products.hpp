// Products of our own that are compiled into the module, with constants that were found on devices of a kind: what
// 'hetc tune gemm' installs for one device, for all that have not been tuned.
#pragma once

#include "kernels/cuda/check.hpp"

#include <span>
#include <string>

namespace tla::kernels::cuda {

/// As gemm/product.cuh declares it for the device; textures are not used.
struct DeviceProduct {
  const void *A, *B;
  void *C;
  int m, n, k, lda, ldb, ldc;
  unsigned long long textureA = 0, textureB = 0;
};

/// The most products that one launch computes: they are in the kernel's parameters.
inline constexpr int mostProductsTogether = 16;

struct ShippedProduct {
  char type, opA, opB; ///< s, d, c, z; n, t, c
  /// As fast as cuBLAS, or faster, where all dimensions are in [from, to] and blocks are about all of C.
  int from, to;
  int threads, sharedBytes;    ///< threads and shared memory of a block
  int blockRows, blockColumns; ///< part of C that a block computes
  const char *text;            ///< text with the constants; other code has another one
  /// Once for each device, which is current for the calling thread.
  cudaError_t (*prepare)();
  /// Scalars are of the type.
  cudaError_t (*launch)(cudaStream_t stream, unsigned blocks, const DeviceProduct &product, const void *alpha,
                        const void *beta);
  /// Launches 1 to mostProductsTogether products that do not depend on each other, with `blocks` blocks for each: as
  /// many as the largest needs. The result of each does not depend on the others.
  cudaError_t (*launchMany)(cudaStream_t stream, unsigned blocks, std::span<const DeviceProduct> products,
                            const void *alpha, const void *beta);
};

/// The products for devices of an architecture, "sm_90"; empty: cuBLAS computes all.
std::span<const ShippedProduct> shippedProducts(const std::string &architecture);

} // namespace tla::kernels::cuda
