// libcuda.so.1 and libcublas.so.13 played by the host, for what measures candidates (kernels/tuning/cuda/device.cpp):
// memory of the device is memory of the host, and a cubin's kernel is the same template compiled by the host's
// compiler, for the few constants that the test uses.
#include "tests/shims/cuda/driver.hpp"

#include "kernels/cuda/gemm/mma.cuh"
#include "kernels/cuda/gemm/simt.cuh"
#include "kernels/tuning/cuda/gemm.hpp"

#include <chrono>
#include <complex>
#include <cstring>
#include <cuda.h>
#include <elf.h>
#include <vector>

namespace family = tla::cuda_gemm;
using hetc::tuning::cuda::LaunchShape;

struct CUmod_st {
  LaunchShape launch;
};
struct CUfunc_st {
  LaunchShape launch;
  int sharedBytes = 0; // that it was promised
};
struct CUevent_st {
  std::chrono::steady_clock::time_point time;
};

namespace {
Fault currentFault = Fault::None;

template <typename E, family::Op a, family::Op b> struct SimtConfig {
  using Element = E;
  static constexpr family::Op opA = a, opB = b;
  static constexpr int dim_m = 8, dim_n = 8, blk_m = 32, blk_n = 16, blk_k = 8, buffers = 2, texture = 1, vec = 1,
                       dim_m_a = 8, dim_m_b = 8;
};
template <typename E, family::Op a, family::Op b> struct MmaConfig {
  using Element = E;
  static constexpr family::Op opA = a, opB = b;
  static constexpr int mma_m = 16, mma_k = 8, warps_m = 2, warps_n = 1, blk_m = 64, blk_n = 32, blk_k = 16, stages = 3,
                       swizzle = 1, ahead = 1, group = 4, blocks = 1;
};

template <typename Kernel> void run(const CUfunc_st &function, dim3 grid, dim3 block, void **arguments) {
  using E = typename Kernel::T;
  const E alpha = *static_cast<const E *>(arguments[1]), beta = *static_cast<const E *>(arguments[2]);
  const auto *products = function.launch.isBatched ? *static_cast<const family::Product<E> *const *>(arguments[0])
                                                   : static_cast<const family::Product<E> *>(arguments[0]);
  shim::runGrid(grid, block, [&] { Kernel::run(products[blockIdx.y], alpha, beta); });
}

using Run = void (*)(const CUfunc_st &, dim3, dim3, void **);

Run kernelFor(const LaunchShape &launch) {
  using enum family::Op;
  const std::string key{char(launch.type), char(launch.opA), char(launch.opB), launch.texture ? 's' : 'm'};
  if (key == "dtns")
    return run<family::SimtGemm<SimtConfig<double, Trans, NoTrans>>>;
  if (key == "cncs")
    return run<family::SimtGemm<SimtConfig<family::Complex<float>, NoTrans, ConjTrans>>>;
  if (key == "dntm")
    return run<family::MmaGemm<MmaConfig<double, NoTrans, Trans>>>;
  if (key == "zcnm")
    return run<family::MmaGemm<MmaConfig<family::Complex<double>, ConjTrans, NoTrans>>>;
  return nullptr;
}

/// The textures' objects are the memory's addresses.
template <typename T>
int gemm(int opA, int opB, int m, int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta,
         T *C, int ldc) {
  const auto element = [](const T *data, int ld, int op, int i, int j) {
    const T x = op ? data[j + std::size_t(i) * ld] : data[i + std::size_t(j) * ld];
    if constexpr (std::is_floating_point_v<T>)
      return x;
    else
      return op == 2 ? std::conj(x) : x;
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      T sum(0);
      for (int l = 0; l < k; ++l)
        sum += element(A, lda, opA, i, l) * element(B, ldb, opB, l, j);
      T &c = C[i + std::size_t(j) * ldc];
      c = *alpha * sum + *beta * c;
    }
  return 0;
}
} // namespace

void setFault(Fault fault) { currentFault = fault; }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = error == CUDA_ERROR_INVALID_DEVICE ? "invalid device ordinal" : "an illegal memory access was encountered";
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) { return *version = 13010, CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return *device = ordinal, ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice) {
  return std::strncpy(name, "the host", std::size_t(size)), CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice) {
  return *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
                  : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
                                                                          : 1024,
         CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) { return *context = nullptr, CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  std::size_t bytes = header.e_shoff + std::size_t(header.e_shnum) * header.e_shentsize;
  for (int s = 0; s < header.e_shnum; ++s) {
    Elf64_Shdr section;
    std::memcpy(&section, static_cast<const char *>(image) + header.e_shoff + s * sizeof(section), sizeof(section));
    if (section.sh_type != SHT_NOBITS)
      bytes = std::max<std::size_t>(bytes, section.sh_offset + section.sh_size);
  }
  *module = new CUmod_st{hetc::tuning::cuda::launchOf(std::string(static_cast<const char *>(image), bytes))};
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) { return delete module, CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  *function = new CUfunc_st{module->launch}; // for the life of the test
  return std::strcmp(name, "gemm") == 0 && kernelFor(module->launch) ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
  return function->sharedBytes = value,
         which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream, void **arguments, void **) {
  if (currentFault == Fault::Launch || int(sharedBytes) > function->sharedBytes)
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (currentFault == Fault::Blocks)
    --x;
  kernelFor(function->launch)(*function, dim3(x, y, z), dim3(blockX, blockY, blockZ), arguments);
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *memory, std::size_t bytes) {
  *memory = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 511) / 256 * 256));
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr memory) { return std::free(reinterpret_cast<void *>(memory)), CUDA_SUCCESS; }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void *>(to), from, bytes), CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<const void *>(from), bytes), CUDA_SUCCESS;
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes), CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned) { return *event = new CUevent_st, CUDA_SUCCESS; }
CUresult cuEventDestroy(CUevent event) { return delete event, CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent event, CUstream) { return event->time = std::chrono::steady_clock::now(), CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count(), CUDA_SUCCESS;
}

/// All are one: what is enqueued is done at once.
CUresult cuStreamCreate(CUstream *stream, unsigned) { return *stream = nullptr, CUDA_SUCCESS; }
CUresult cuStreamDestroy(CUstream) { return CUDA_SUCCESS; }

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *,
                           const CUDA_RESOURCE_VIEW_DESC *) {
  return *object = resource->res.linear.devPtr,
         resource->resType == CU_RESOURCE_TYPE_LINEAR ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuTexObjectDestroy(CUtexObject) { return CUDA_SUCCESS; }

extern "C" {
int cublasCreate_v2(void **handle) { return *handle = nullptr, 0; }
int cublasDestroy_v2(void *) { return 0; }
int cublasSetStream_v2(void *, void *) { return 0; }
#define GEMM(name, T)                                                                                                  \
  int name(void *, int opA, int opB, int m, int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,    \
           const T *beta, T *C, int ldc) {                                                                             \
    return gemm(opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                                               \
  }
GEMM(cublasSgemm_v2, float)
GEMM(cublasDgemm_v2, double)
GEMM(cublasCgemm_v2, std::complex<float>)
GEMM(cublasZgemm_v2, std::complex<double>)
}
