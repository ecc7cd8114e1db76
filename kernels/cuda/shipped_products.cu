#include "kernels/cuda/shipped_products.hpp"

#include "kernels/cuda/gemm/mma.cuh"

#include <algorithm>
#include <iterator>

namespace tla::kernels::cuda {

using cuda_gemm::MmaGemm;
using cuda_gemm::Op;
using cuda_gemm::Product;

/// A point of kernels/tuning/spaces/cuda_dgemm_mma.space for the H200. Two blocks on a multiprocessor: one multiplies
/// while the other begins or ends.
template <Op a, Op b> struct Hopper {
  using Element = double;
  static constexpr Op opA = a, opB = b;
  static constexpr int mma_m = 16, mma_k = 8, warps_m = 2, warps_n = 2, blk_m = 128, blk_n = 64, blk_k = 16, stages = 3,
                       swizzle = 0, ahead = 1, group = 8, blocks = 2;
  static constexpr const char *text = "m16n8k8, 128 x 64 x 16 in 3 stages, 2nd edition"; ///< the key of its rates
};

namespace {

/// Multiplies one product; devices without these instructions get no such kernel from shippedProducts().
template <typename Config>
__global__ void __launch_bounds__(MmaGemm<Config>::threads, MmaGemm<Config>::blocks)
    shippedGemm([[maybe_unused]] const Product<typename Config::Element> product,
                [[maybe_unused]] typename Config::Element alpha, [[maybe_unused]] typename Config::Element beta) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  MmaGemm<Config>::run(product, alpha, beta);
#else
  __trap();
#endif
}

template <typename T> struct ProductList { Product<T> each[mostProductsTogether]; };

/// Multiplies product blockIdx.y of a list.
template <typename Config>
__global__ void __launch_bounds__(MmaGemm<Config>::threads, MmaGemm<Config>::blocks)
    shippedGemms([[maybe_unused]] const __grid_constant__ ProductList<typename Config::Element> products,
                 [[maybe_unused]] typename Config::Element alpha, [[maybe_unused]] typename Config::Element beta) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  MmaGemm<Config>::run(products.each[blockIdx.y], alpha, beta);
#else
  __trap();
#endif
}

template <typename Config> cudaError_t prepare() {
  const auto prepared = [](auto *kernel) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, MmaGemm<Config>::sharedBytes);
  };
  const cudaError_t status = prepared(shippedGemm<Config>);
  return status != cudaSuccess ? status : prepared(shippedGemms<Config>);
}

template <typename T> Product<T> typed(const DeviceProduct &p) {
  return {static_cast<const T *>(p.A),
          static_cast<const T *>(p.B),
          static_cast<T *>(p.C),
          p.m,
          p.n,
          p.k,
          p.lda,
          p.ldb,
          p.ldc,
          {},
          {}};
}

template <typename Config> cudaLaunchConfig_t configOf(cudaStream_t stream, unsigned blocks, unsigned products) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks, products);
  config.blockDim = dim3(MmaGemm<Config>::threads);
  config.dynamicSmemBytes = MmaGemm<Config>::sharedBytes;
  config.stream = stream;
  return config;
}

template <typename Config>
cudaError_t launch(cudaStream_t stream, unsigned blocks, const DeviceProduct &p, const void *alpha, const void *beta) {
  using T = typename Config::Element;
  const cudaLaunchConfig_t config = configOf<Config>(stream, blocks, 1);
  return cudaLaunchKernelEx(&config, shippedGemm<Config>, typed<T>(p), *static_cast<const T *>(alpha),
                            *static_cast<const T *>(beta));
}

template <typename Config>
cudaError_t launchMany(cudaStream_t stream, unsigned blocks, std::span<const DeviceProduct> products, const void *alpha,
                       const void *beta) {
  using T = typename Config::Element;
  const cudaLaunchConfig_t config = configOf<Config>(stream, blocks, static_cast<unsigned>(products.size()));
  ProductList<T> list{};
  std::transform(products.begin(), products.end(), list.each, typed<T>);
  return cudaLaunchKernelEx(&config, shippedGemms<Config>, list, *static_cast<const T *>(alpha),
                            *static_cast<const T *>(beta));
}

template <template <Op, Op> typename Point, Op opA, Op opB> constexpr ShippedProduct shipped(int from, int to) {
  using Config = Point<opA, opB>;
  using Kernel = MmaGemm<Config>;
  constexpr char letters[] = {'n', 't', 'c'};
  return {'d',
          letters[int(opA)],
          letters[int(opB)],
          from,
          to,
          Kernel::threads,
          Kernel::sharedBytes,
          Config::blk_m,
          Config::blk_n,
          Config::text,
          prepare<Config>,
          launch<Config>,
          launchMany<Config>};
}

/// The products of the H200. With many at once they have 2.3 to 2.4 times cuBLAS's rate at 512, 1.07 at 1024, 1.00 to
/// 1.04 at 1536, 0.97 to 0.99 at 2048. Tall ones are cuBLAS's, too: QR of 32768 rows was 4 to 7% slower with these
/// (docs/notes/h200.md).
constexpr int hopperFrom = 256, hopperTo = 1536;
constexpr ShippedProduct hopper[] = {shipped<Hopper, Op::NoTrans, Op::NoTrans>(hopperFrom, hopperTo),
                                     shipped<Hopper, Op::NoTrans, Op::Trans>(hopperFrom, hopperTo),
                                     shipped<Hopper, Op::Trans, Op::NoTrans>(hopperFrom, hopperTo),
                                     shipped<Hopper, Op::Trans, Op::Trans>(hopperFrom, hopperTo)};

/// Whether the code was compiled for this architecture: code for older devices has no product, and a driver would make
/// code for this one of it.
bool isCompiledForHopper() {
#ifdef __CUDA_ARCH_LIST__
  constexpr int architectures[] = {__CUDA_ARCH_LIST__};
  return std::any_of(std::begin(architectures), std::end(architectures), [](int each) { return each / 100 == 9; });
#else
  return true; // the host plays the device
#endif
}

} // namespace

std::span<const ShippedProduct> shippedProducts(const std::string &architecture) {
  return architecture == "sm_90" && isCompiledForHopper() ? std::span<const ShippedProduct>(hopper)
                                                          : std::span<const ShippedProduct>();
}

} // namespace tla::kernels::cuda
