// Products that hetc tune has found to be faster than cuBLAS's on this kind of device (tuned_list.hpp), in their place.
#pragma once

#include "kernels/cuda/check.hpp"

#include <tla/tile.hpp>

#include <string>
#include <vector>

namespace tla::kernels::cuda {

struct TunedProduct;

/// Those of one device, loaded. Does not change: any thread may call it.
class TunedProducts {
public:
  /// Those of the list in `folder` that are for a device of this name and architecture ("sm_90"); the device is current
  /// for the calling thread. What cannot be used is left to cuBLAS with a warning on standard error that says why:
  /// files that others may have written, that are not what was tuned, or that the driver does not take.
  TunedProducts(const std::string &folder, const std::string &device, const std::string &architecture);
  TunedProducts(const TunedProducts &) = delete;
  TunedProducts &operator=(const TunedProducts &) = delete;
  ~TunedProducts();

  /// Enqueues C = alpha op(A) op(B) + beta C, as BLAS has it, none of the dimensions zero. False: that is for cuBLAS.
  /// Throws CudaError.
  template <typename T>
  bool gemm(cudaStream_t stream, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) const;

  /// "hetc tune: gemm d nn from 512 (0123456789abcdef), ..."; empty: cuBLAS does all. Equal for equal code.
  const std::string &text() const { return text_; }

private:
  struct Kernel {
    char type = 0, opA = 0, opB = 0;
    int from = 0, threads = 0, sharedBytes = 0, blockRows = 0, blockColumns = 0;
    cudaLibrary_t library = nullptr;
    cudaKernel_t function = nullptr;
  };
  void add(const TunedProduct &product, const std::string &file);
  const Kernel *find(char type, Op opA, Op opB, int smallest) const;

  std::vector<Kernel> kernels_;
  std::string text_;
};

} // namespace tla::kernels::cuda
