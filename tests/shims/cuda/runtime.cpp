// The runtime of two devices whose memory is the host's. A thread does what the streams have been given: at any time it
// takes the first operation of some stream, by chance, or none for a while.
#include "device.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

using namespace shim;

namespace {
thread_local int currentDevice = 0;

cudaError_t allocated(void **memory, void *result) {
  *memory = result;
  return result ? cudaSuccess : cudaErrorMemoryAllocation;
}

void copyRows(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
              std::size_t height) {
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch, width);
}

} // namespace

namespace shim {
void enqueue(cudaStream_t stream, std::function<void()> work, std::vector<Range> ranges) {
  Device::get().enqueue(stream, std::move(work), std::move(ranges));
}
std::vector<std::string> takeRaces() { return Device::get().takeRaces(); }
void setSeed(unsigned seed) { Device::get().setSeed(seed); }
void setPinning(bool possible) { Device::get().setPinning(possible); }
std::size_t registered() { return Device::get().registered(); }
} // namespace shim

const char *cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "an error"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
/// The devices, of two, that CUDA_VISIBLE_DEVICES names, "0", "1" or "0,1".
static std::string visibleDevices() {
  const char *const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::string numbers;
  for (const char each : std::string(visible ? visible : "0,1"))
    if (each != ',')
      numbers += each;
  return numbers;
}
cudaError_t cudaGetDeviceCount(int *count) { return *count = static_cast<int>(visibleDevices().size()), cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = currentDevice, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return currentDevice = device, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  *properties = {"the host", 9, 0, {{visibleDevices()[device]}}};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? shim::multiprocessors : 227 << 10;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
  *free = *total = std::size_t(1) << 30;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 1, cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  *attributes = {Device::get().typeOf(pointer), -1};
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, std::size_t bytes) {
  return allocated(memory, Device::get().allocate(bytes, cudaMemoryTypeDevice));
}
cudaError_t cudaFree(void *memory) { return Device::get().release(memory), cudaSuccess; }
cudaError_t cudaMallocHost(void **memory, std::size_t bytes) {
  return allocated(memory, Device::get().allocate(bytes, cudaMemoryTypeHost));
}
cudaError_t cudaHostAlloc(void **memory, std::size_t bytes, unsigned) { return cudaMallocHost(memory, bytes); }
cudaError_t cudaHostRegister(void *memory, std::size_t bytes, unsigned) {
  return Device::get().know(memory, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
}
cudaError_t cudaHostUnregister(void *memory) {
  return Device::get().forget(memory) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
}
cudaError_t cudaFreeHost(void *memory) { return Device::get().release(memory), cudaSuccess; }

/// The memory is there when the stream has come so far: whoever uses it before, elsewhere, loses what it wrote.
cudaError_t cudaMallocAsync(void **memory, std::size_t bytes, cudaStream_t stream) {
  if (cudaMalloc(memory, bytes) != cudaSuccess)
    return cudaErrorMemoryAllocation;
  return cudaMemsetAsync(*memory, 0xcb, bytes, stream);
}
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  const std::size_t bytes = Device::get().bytesOf(memory);
  shim::enqueue(stream, [memory] { Device::get().release(memory); }, {{memory, bytes, 1, bytes, true}});
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) { return *pool = nullptr, cudaSuccess; }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, std::size_t) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void **memory, std::size_t bytes, cudaMemPool_t, cudaStream_t stream) {
  return cudaMallocAsync(memory, bytes, stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  return *stream = Device::get().create(), cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return *least = 0, *greatest = -5, cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return Device::get().destroy(stream), cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return Device::get().synchronizeAll(), cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return Device::get().synchronize(stream), cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return *event = new ShimEvent, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Device::get().record(event, stream), cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return Device::get().isOver(event) ? cudaSuccess : cudaErrorNotReady; }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return Device::get().wait(event), cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!Device::get().isOver(start) || !Device::get().isOver(end))
    return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(end->state->time - start->state->time).count();
  return cudaSuccess;
}
/// The stream of what names none.
static cudaStream_t legacyStream() {
  static const cudaStream_t stream = Device::get().create();
  return stream;
}
/// From memory that is not pinned it returns when all is staged, and what is on its way to the device may come later.
cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpyAsync(to, from, bytes, kind, legacyStream());
  return Device::get().typeOf(from) == cudaMemoryTypeUnregistered ? cudaSuccess : cudaStreamSynchronize(legacyStream());
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

/// Copies; memory that is not pinned is staged: read before the call returns, or there when it returns.
cudaError_t cudaMemcpy2DAsync(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
  std::vector<shim::Range> ranges = {{from, width, height, fromPitch, false}, {to, width, height, toPitch, true}};
  if (Device::get().typeOf(from) == cudaMemoryTypeUnregistered) {
    auto staged = std::make_shared<std::vector<char>>(width * height);
    copyRows(staged->data(), width, from, fromPitch, width, height);
    ranges.erase(ranges.begin());
    shim::enqueue(
        stream, [=] { copyRows(to, toPitch, staged->data(), width, width, height); }, std::move(ranges));
    return cudaSuccess;
  }
  const bool returnsLate = Device::get().typeOf(to) == cudaMemoryTypeUnregistered;
  shim::enqueue(
      stream, [=] { copyRows(to, toPitch, from, fromPitch, width, height); }, std::move(ranges));
  return returnsLate ? cudaStreamSynchronize(stream) : cudaSuccess;
}
// Kernels of images that are loaded.

struct ShimKernel {
  shim::KernelImage image;
  int sharedBytes = 0; // that it was promised
};
struct ShimLibrary {
  ShimKernel kernel;
};
static std::map<std::string, shim::KernelImage> &images() {
  static std::map<std::string, shim::KernelImage> all;
  return all;
}
static std::atomic<int> loadedLibraries{0};
void shim::addImage(const std::string &text, KernelImage image) { images()[text] = std::move(image); }
int shim::libraries() { return loadedLibraries; }

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, cudaJitOption *, void **, unsigned,
                                cudaLibraryOption *, void **, unsigned) {
  const auto found = images().find(static_cast<const char *>(image));
  if (found == images().end())
    return cudaErrorInvalidKernelImage;
  *library = new ShimLibrary{{found->second}};
  ++loadedLibraries;
  return cudaSuccess;
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) { return --loadedLibraries, delete library, cudaSuccess; }
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  *kernel = &library->kernel;
  return std::strcmp(name, "gemm") == 0 ? cudaSuccess : cudaErrorSymbolNotFound;
}
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute, int value) {
  static_cast<ShimKernel *>(const_cast<void *>(kernel))->sharedBytes = value;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, std::size_t sharedBytes,
                             cudaStream_t stream) {
  const auto &known = *static_cast<const ShimKernel *>(kernel);
  if (sharedBytes > static_cast<std::size_t>(known.sharedBytes) ||
      sharedBytes < static_cast<std::size_t>(known.image.sharedBytes))
    return cudaErrorLaunchFailure;
  shim::enqueue(stream, known.image.bind(grid, block, arguments));
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, std::size_t bytes, cudaStream_t stream) {
  shim::enqueue(stream, [=] { std::memset(memory, value, bytes); }, {{memory, bytes, 1, bytes, true}});
  return cudaSuccess;
}
