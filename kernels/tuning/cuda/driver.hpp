// The driver's functions that are used here, with the types of the toolkit's headers. Private.
#pragma once

#include "kernels/tuning/cuda/library.hpp"

#include <cublas_v2.h>
#include <cuda.h>

namespace hetc::tuning::cuda {

// The headers rename some functions to those of a version; so does this.
#define HETC_NAME_OF(function) #function
#define HETC_FIND(library, member, function) (library).find(member, HETC_NAME_OF(function))

/// Every call throws Error with its name and the driver's reason.
class Driver {
public:
  static const Driver &instance();

  template <typename... Parameters, typename... Arguments>
  void call(CUresult (*function)(Parameters...), const char *name, Arguments... arguments) const {
    if (const CUresult status = function(arguments...); status != CUDA_SUCCESS) {
      const char *reason = nullptr;
      getErrorString(status, &reason);
      throw Error(std::string(name) + ": " + (reason ? reason : "unknown error"));
    }
  }

  decltype(&cuInit) init;
  decltype(&cuGetErrorString) getErrorString;
  decltype(&cuDriverGetVersion) driverGetVersion;
  decltype(&cuDeviceGet) deviceGet;
  decltype(&cuDeviceGetName) deviceGetName;
  decltype(&cuDeviceGetAttribute) deviceGetAttribute;
  decltype(&cuDevicePrimaryCtxRetain) primaryRetain;
  decltype(&cuDevicePrimaryCtxRelease) primaryRelease;
  decltype(&cuCtxSetCurrent) setCurrent;
  decltype(&cuCtxSynchronize) synchronize;
  decltype(&cuModuleLoadData) moduleLoad;
  decltype(&cuModuleUnload) moduleUnload;
  decltype(&cuModuleGetFunction) getFunction;
  decltype(&cuFuncSetAttribute) setAttribute;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuMemAlloc) allocate;
  decltype(&cuMemFree) free;
  decltype(&cuMemcpyHtoD) copyToDevice;
  decltype(&cuMemcpyDtoH) copyToHost;
  decltype(&cuMemcpyDtoD) copyWithinDevice;
  decltype(&cuEventCreate) eventCreate;
  decltype(&cuEventDestroy) eventDestroy;
  decltype(&cuEventRecord) eventRecord;
  decltype(&cuEventSynchronize) eventSynchronize;
  decltype(&cuEventElapsedTime) eventElapsed;
  decltype(&cuStreamCreate) streamCreate;
  decltype(&cuStreamDestroy) streamDestroy;
  decltype(&cuTexObjectCreate) textureCreate;
  decltype(&cuTexObjectDestroy) textureDestroy;

private:
  Driver();
};

/// The products of cuBLAS.
class Cublas {
public:
  Cublas();
  Cublas(const Cublas &) = delete;
  ~Cublas();

  /// Where the next products go; null: the default stream.
  void setStream(CUstream stream) const;
  /// C = alpha op(A) op(B) + beta C for the type; ops as 'n', 't', 'c'.
  void gemm(char type, char opA, char opB, int m, int n, int k, const void *alpha, CUdeviceptr A, int lda,
            CUdeviceptr B, int ldb, const void *beta, CUdeviceptr C, int ldc) const;

private:
  Library library_;
  cublasHandle_t handle_ = nullptr;
  decltype(&cublasCreate) create_;
  decltype(&cublasDestroy) destroy_;
  decltype(&cublasSetStream) setStream_;
  decltype(&cublasSgemm) sgemm_;
  decltype(&cublasDgemm) dgemm_;
  decltype(&cublasCgemm) cgemm_;
  decltype(&cublasZgemm) zgemm_;
};

} // namespace hetc::tuning::cuda
