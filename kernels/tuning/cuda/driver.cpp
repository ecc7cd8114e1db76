#include "kernels/tuning/cuda/driver.hpp"

namespace hetc::tuning::cuda {

const Driver &Driver::instance() {
  static const Driver driver;
  return driver;
}

Driver::Driver() {
  const Library library(Library::Origin::Driver, {"libcuda.so.1"}, "is the driver of a CUDA device installed?");
  HETC_FIND(library, init, cuInit);
  HETC_FIND(library, getErrorString, cuGetErrorString);
  HETC_FIND(library, driverGetVersion, cuDriverGetVersion);
  HETC_FIND(library, deviceGet, cuDeviceGet);
  HETC_FIND(library, deviceGetName, cuDeviceGetName);
  HETC_FIND(library, deviceGetAttribute, cuDeviceGetAttribute);
  HETC_FIND(library, primaryRetain, cuDevicePrimaryCtxRetain);
  HETC_FIND(library, primaryRelease, cuDevicePrimaryCtxRelease);
  HETC_FIND(library, setCurrent, cuCtxSetCurrent);
  HETC_FIND(library, synchronize, cuCtxSynchronize);
  HETC_FIND(library, moduleLoad, cuModuleLoadData);
  HETC_FIND(library, moduleUnload, cuModuleUnload);
  HETC_FIND(library, getFunction, cuModuleGetFunction);
  HETC_FIND(library, setAttribute, cuFuncSetAttribute);
  HETC_FIND(library, launch, cuLaunchKernel);
  HETC_FIND(library, allocate, cuMemAlloc);
  HETC_FIND(library, free, cuMemFree);
  HETC_FIND(library, copyToDevice, cuMemcpyHtoD);
  HETC_FIND(library, copyToHost, cuMemcpyDtoH);
  HETC_FIND(library, copyWithinDevice, cuMemcpyDtoD);
  HETC_FIND(library, eventCreate, cuEventCreate);
  HETC_FIND(library, eventDestroy, cuEventDestroy);
  HETC_FIND(library, eventRecord, cuEventRecord);
  HETC_FIND(library, eventSynchronize, cuEventSynchronize);
  HETC_FIND(library, eventElapsed, cuEventElapsedTime);
  HETC_FIND(library, streamCreate, cuStreamCreate);
  HETC_FIND(library, streamDestroy, cuStreamDestroy);
  HETC_FIND(library, textureCreate, cuTexObjectCreate);
  HETC_FIND(library, textureDestroy, cuTexObjectDestroy);
  call(init, "cuInit", 0u);
}

static void check(cublasStatus_t status, const char *call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(std::string(call) + ": status " + std::to_string(status));
}

Cublas::Cublas()
    : library_(Library::Origin::Toolkit, {"libcublas.so.13", "libcublas.so.12"},
               "cuBLAS is part of the CUDA toolkit; CUDA_HOME can name its folder") {
  HETC_FIND(library_, create_, cublasCreate);
  HETC_FIND(library_, destroy_, cublasDestroy);
  HETC_FIND(library_, setStream_, cublasSetStream);
  HETC_FIND(library_, sgemm_, cublasSgemm);
  HETC_FIND(library_, dgemm_, cublasDgemm);
  HETC_FIND(library_, cgemm_, cublasCgemm);
  HETC_FIND(library_, zgemm_, cublasZgemm);
  check(create_(&handle_), "cublasCreate");
}

Cublas::~Cublas() { destroy_(handle_); }

void Cublas::setStream(CUstream stream) const { check(setStream_(handle_, stream), "cublasSetStream"); }

static cublasOperation_t opOf(char op) { return op == 'n' ? CUBLAS_OP_N : op == 't' ? CUBLAS_OP_T : CUBLAS_OP_C; }

void Cublas::gemm(char type, char opA, char opB, int m, int n, int k, const void *alpha, CUdeviceptr A, int lda,
                  CUdeviceptr B, int ldb, const void *beta, CUdeviceptr C, int ldc) const {
  const auto with = [&](auto function, auto *scalar) {
    using T = std::remove_pointer_t<decltype(scalar)>;
    check(function(handle_, opOf(opA), opOf(opB), m, n, k, static_cast<const T *>(alpha),
                   reinterpret_cast<const T *>(A), lda, reinterpret_cast<const T *>(B), ldb,
                   static_cast<const T *>(beta), reinterpret_cast<T *>(C), ldc),
          "cublasXgemm");
  };
  switch (type) {
  case 's':
    return with(sgemm_, static_cast<float *>(nullptr));
  case 'd':
    return with(dgemm_, static_cast<double *>(nullptr));
  case 'c':
    return with(cgemm_, static_cast<cuComplex *>(nullptr));
  default:
    return with(zgemm_, static_cast<cuDoubleComplex *>(nullptr));
  }
}

} // namespace hetc::tuning::cuda
