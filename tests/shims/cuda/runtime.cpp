// Streams that do everything at once, on two devices whose memory is the host's.
#include "cuda_runtime_api.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

struct ShimStream {};
struct ShimEvent {
  std::chrono::steady_clock::time_point time;
};

static thread_local int currentDevice = 0;

static cudaError_t allocate(void **memory, std::size_t bytes) {
  constexpr std::size_t line = 256;
  *memory = std::aligned_alloc(line, (bytes + line - 1) / line * line + line);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

const char *cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "an error"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *count) { return *count = 2, cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = currentDevice, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return currentDevice = device, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
  *properties = {"the host", 9, 0};
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
  *free = *total = std::size_t(1) << 30;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 1, cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *) {
  *attributes = {cudaMemoryTypeUnregistered, -1};
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaFree(void *memory) { return std::free(memory), cudaSuccess; }
cudaError_t cudaMallocHost(void **memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaHostAlloc(void **memory, std::size_t bytes, unsigned) { return allocate(memory, bytes); }
cudaError_t cudaFreeHost(void *memory) { return std::free(memory), cudaSuccess; }
cudaError_t cudaMallocAsync(void **memory, std::size_t bytes, cudaStream_t) { return allocate(memory, bytes); }
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) { return std::free(memory), cudaSuccess; }

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) { return *pool = nullptr, cudaSuccess; }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, std::size_t) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void **memory, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  return allocate(memory, bytes);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) { return *stream = new ShimStream, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return *event = new ShimEvent, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void *argument) {
  return function(argument), cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind) {
  return std::memcpy(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2DAsync(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind, cudaStream_t) {
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch, width);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *memory, int value, std::size_t bytes, cudaStream_t) {
  return std::memset(memory, value, bytes), cudaSuccess;
}
