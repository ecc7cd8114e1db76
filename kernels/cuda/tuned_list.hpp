// What hetc tune has found for CUDA devices: products whose code lies in the user's cache directory, one for each pair
// of ops, and from which size on they are faster than cuBLAS's.
//
// The list is <cache>/tuning/cuda-products, a line each:
//
//   1 <type> <ops> <file> <hash> <threads> <shared bytes> <block rows> <block columns> <from> <gflops> <of cuBLAS>
//     <date> <architecture> <device, may have blanks>
//
// A file is beside the list. The first word counts changes of what kernels are launched with (gemm/product.cuh); lines
// of another version of hetc are left alone.
#pragma once

#include <string>
#include <vector>

namespace tla::kernels::cuda {

struct TunedProduct {
  char type = 'd', opA = 'n', opB = 'n'; ///< s, d, c, z; n, t, c
  std::string file, hash;                ///< a cubin, and the hash of its content (dsl/base/hash.hpp)
  int threads = 0, sharedBytes = 0;      ///< threads and shared memory of a block
  int blockRows = 0, blockColumns = 0;   ///< part of C that a block computes
  int from = 0;                          ///< faster than cuBLAS where no dimension is smaller; 0: nowhere
  double gflops = 0, cublasGflops = 0;   ///< rates of the largest products that were timed
  std::string date;                      ///< 2026-11-27
  std::string architecture, device;      ///< "sm_90", "NVIDIA H200"

  std::string ops() const { return {opA, opB}; }
};

/// tuning in hetc's cache folder.
std::string tunedFolder();

/// The products of the list in a folder, in its order. Lines that cannot be read, or are of another version, are left
/// out.
std::vector<TunedProduct> readTunedProducts(const std::string &folder);

/// Lists `products` in place of those of the same type and device. Their files are in the folder already; files that
/// are no longer listed are removed. Empty, or why it could not be written.
std::string writeTunedProducts(const std::string &folder, const std::vector<TunedProduct> &products);

/// The smallest of the sizes from which on `gflops` are more than `cublas` at each, by more than chance; 0: there is
/// none. Sizes ascend.
struct RateOfSize {
  int n;
  double gflops, cublas;
};
int fasterFrom(const std::vector<RateOfSize> &rates);

} // namespace tla::kernels::cuda
