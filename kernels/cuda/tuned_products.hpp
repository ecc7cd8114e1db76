// Products of our own in the place of cuBLAS's, where they are faster: those that hetc tune has found on this kind of
// device (tuned_list.hpp), or else those that the module brings (shipped_products.hpp).
#pragma once

#include "kernels/cuda/shipped_products.hpp"

#include <tla/tile.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tla::kernels::cuda {

struct TunedProduct;

/// Products of tasks that do not depend on each other, until one launch does them. Those of one kernel and the same
/// scalars are held; when another one comes, or there are as many as a launch takes, they are enqueued.
class HeldProducts {
public:
  explicit HeldProducts(cudaStream_t stream) : stream_(stream) {}
  HeldProducts(const HeldProducts &) = delete;
  HeldProducts &operator=(const HeldProducts &) = delete;

  /// `scalarBytes`: of alpha and beta each. Throws CudaError.
  void add(const ShippedProduct &kernel, unsigned blocks, const DeviceProduct &product, const void *alpha,
           const void *beta, std::size_t scalarBytes);
  /// Enqueues what is held. Throws CudaError.
  void flush();
  /// How many have come.
  int count() const { return count_; }
  /// The type of the last product; 0: there is none.
  char type() const { return kernel_ ? kernel_->type : '\0'; }

private:
  const cudaStream_t stream_;
  const ShippedProduct *kernel_ = nullptr;
  unsigned blocks_ = 0;
  alignas(16) char alpha_[16] = {}, beta_[16] = {};
  std::vector<DeviceProduct> products_;
  int count_ = 0;
};

/// The tuned products of one device, loaded. It does not change: any thread may call it.
class TunedProducts {
public:
  /// Loads the products of the list in `folder` that are for a device of this name and architecture ("sm_90"), and
  /// behind them the module's; the device is current for the calling thread. Products that cannot be used are left to
  /// cuBLAS with a warning on standard error that says why: files that others may have written, that are not what was
  /// tuned, or that the driver does not take.
  TunedProducts(const std::string &folder, const std::string &device, const std::string &architecture);
  TunedProducts(const TunedProducts &) = delete;
  TunedProducts &operator=(const TunedProducts &) = delete;
  ~TunedProducts();

  /// Whether gemm() does products of m x n x k of a type: 's', 'd', 'c', 'z'.
  bool has(char type, Op opA, Op opB, int m, int n, int k) const { return find(type, opA, opB, m, n, k); }
  /// Enqueues C = alpha op(A) op(B) + beta C, as BLAS has it, none of the dimensions zero. False: that is for cuBLAS.
  /// Throws CudaError. Into `held`, where there is one and the product is one of the module's: then it is the same code
  /// however many are held.
  template <typename T>
  bool gemm(cudaStream_t stream, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C,
            HeldProducts *held = nullptr) const;
  /// A function that says whether gemm() gives products of a type, m x n x k, to HeldProducts, whatever the operations;
  /// null: it gives none. It may be called when this object is gone.
  std::function<bool(char type, int m, int n, int k)> held() const;

  /// "hetc tune: gemm d tn from 512 (0123456789abcdef), ...; hetc: gemm d nn from 256 to 1536 (m16n8k8, ...), ...";
  /// empty: cuBLAS does all. Equal for equal code.
  const std::string &text() const { return text_; }

private:
  struct Kernel {
    char type = 0, opA = 0, opB = 0;
    int from = 0, threads = 0, sharedBytes = 0, blockRows = 0, blockColumns = 0;
    cudaLibrary_t library = nullptr; // of one that was tuned,
    cudaKernel_t function = nullptr;
    const ShippedProduct *shipped = nullptr; // or null
  };
  void addListed(const std::string &folder, std::vector<TunedProduct> listed);
  void add(const TunedProduct &product, const std::string &file);
  void add(const ShippedProduct &product);
  static void launch(const Kernel &kernel, cudaStream_t stream, unsigned blocks, DeviceProduct product, void *alpha,
                     void *beta);
  const Kernel *find(char type, Op opA, Op opB, int m, int n, int k) const;

  std::vector<Kernel> kernels_;
  std::string text_;
};

} // namespace tla::kernels::cuda
