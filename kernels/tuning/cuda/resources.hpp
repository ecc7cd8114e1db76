// What a measurement holds on a device, released with its object: memory, textures, events, streams, the kernel.
#pragma once

#include "kernels/tuning/cuda/device.hpp"
#include "kernels/tuning/cuda/driver.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hetc::tuning::cuda {

#define HETC_CALL(member, ...) Driver::instance().call(Driver::instance().member, #member, __VA_ARGS__)

/// A copy of the declaration in kernels/cuda/gemm/product.cuh.
struct Product {
  CUdeviceptr A, B, C;
  int m, n, k, lda, ldb, ldc;
  CUtexObject textureA, textureB;
};

class Memory {
public:
  explicit Memory(std::size_t bytes) { HETC_CALL(allocate, &address_, std::max<std::size_t>(bytes, 16)); }
  Memory(const Memory &) = delete;
  ~Memory() { Driver::instance().free(address_); }

  CUdeviceptr address() const { return address_; }
  template <typename T> void put(const std::vector<T> &data, std::size_t offset = 0) {
    if (!data.empty())
      HETC_CALL(copyToDevice, address_ + offset, static_cast<const void *>(data.data()), data.size() * sizeof(T));
  }
  /// Fills `bytes` of it with the data, over and over.
  template <typename T> void repeat(const std::vector<T> &data, std::size_t bytes) {
    std::size_t done = std::min(data.size() * sizeof(T), bytes);
    HETC_CALL(copyToDevice, address_, static_cast<const void *>(data.data()), done);
    for (std::size_t next = 0; done < bytes; done += next) {
      next = std::min(done, bytes - done);
      HETC_CALL(copyWithinDevice, address_ + done, address_, next);
    }
  }
  template <typename T> std::vector<T> get(std::size_t count) const {
    std::vector<T> data(count);
    HETC_CALL(copyToHost, static_cast<void *>(data.data()), address_, count * sizeof(T));
    return data;
  }

private:
  CUdeviceptr address_ = 0;
};

/// Stands for `bytes` of memory, in elements of the type.
class TextureObject {
public:
  TextureObject(CUdeviceptr memory, std::size_t bytes, char type) {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory;
    resource.res.linear.format = type == 's' || type == 'c' ? CU_AD_FORMAT_FLOAT : CU_AD_FORMAT_SIGNED_INT32;
    resource.res.linear.numChannels = static_cast<unsigned>(elementBytes(type)) / 4;
    resource.res.linear.sizeInBytes = bytes;
    const CUDA_TEXTURE_DESC texture{};
    HETC_CALL(textureCreate, &object_, static_cast<const CUDA_RESOURCE_DESC *>(&resource), &texture,
              static_cast<const CUDA_RESOURCE_VIEW_DESC *>(nullptr));
  }
  TextureObject(const TextureObject &) = delete;
  ~TextureObject() { Driver::instance().textureDestroy(object_); }
  CUtexObject object() const { return object_; }

private:
  CUtexObject object_ = 0;
};

class Event {
public:
  Event() { HETC_CALL(eventCreate, &event_, unsigned(CU_EVENT_DEFAULT)); }
  Event(const Event &) = delete;
  ~Event() { Driver::instance().eventDestroy(event_); }
  void record() { HETC_CALL(eventRecord, event_, static_cast<CUstream>(nullptr)); }
  double secondsSince(const Event &start) const {
    HETC_CALL(eventSynchronize, event_);
    float milliseconds = 0;
    HETC_CALL(eventElapsed, &milliseconds, start.event_, event_);
    return milliseconds * 1e-3;
  }

private:
  CUevent event_ = nullptr;
};

/// Several in turn. They wait for what the default stream was given before, and it for what they were: so events there
/// time what happens here.
class Streams {
public:
  Streams() {
    for (CUstream &each : streams_)
      HETC_CALL(streamCreate, &each, unsigned(CU_STREAM_DEFAULT));
  }
  Streams(const Streams &) = delete;
  ~Streams() {
    for (const CUstream each : streams_)
      Driver::instance().streamDestroy(each);
  }
  CUstream next() { return streams_[turn_++ % count]; }

private:
  static constexpr unsigned count = 16; // kernels that hetc has in flight
  CUstream streams_[count] = {};
  unsigned turn_ = 0;
};

/// The device's primary context, current for the thread.
class Context {
public:
  explicit Context(int device) {
    HETC_CALL(deviceGet, &device_, device);
    CUcontext context = nullptr;
    HETC_CALL(primaryRetain, &context, device_);
    HETC_CALL(setCurrent, context);
  }
  Context(const Context &) = delete;
  ~Context() { Driver::instance().primaryRelease(device_); }

private:
  CUdevice device_ = 0;
};

/// A cubin's kernel, ready to be launched.
class Kernel {
public:
  explicit Kernel(const std::string &cubin) : launch_(launchOf(cubin)) {
    HETC_CALL(moduleLoad, &module_, static_cast<const void *>(cubin.data()));
    HETC_CALL(getFunction, &function_, module_, kernelName);
    HETC_CALL(setAttribute, function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, launch_.sharedBytes);
  }
  Kernel(const Kernel &) = delete;
  ~Kernel() { Driver::instance().moduleUnload(module_); }

  const LaunchShape &launch() const { return launch_; }
  char type() const { return static_cast<char>(launch_.type); }

  /// `many` holds the same products in the device's memory. Scalars are of the kernel's type.
  void enqueue(std::vector<Product> &products, const Memory &many, void *alpha, void *beta, Streams &streams) const {
    if (!launch_.isBatched) {
      for (Product &product : products)
        enqueueGrid(blocksOf(product), 1, &product, alpha, beta, streams.next());
      return;
    }
    unsigned blocks = 0;
    for (const Product &product : products)
      blocks = std::max(blocks, blocksOf(product));
    CUdeviceptr address = many.address();
    enqueueGrid(blocks, static_cast<unsigned>(products.size()), &address, alpha, beta, nullptr);
  }

private:
  unsigned blocksOf(const Product &product) const {
    const auto parts = [](int size, int part) { return static_cast<unsigned>((size + part - 1) / part); };
    return parts(product.m, launch_.blk_m) * parts(product.n, launch_.blk_n);
  }
  void enqueueGrid(unsigned blocks, unsigned products, void *what, void *alpha, void *beta, CUstream stream) const {
    void *arguments[] = {what, alpha, beta};
    if (blocks > 0)
      HETC_CALL(launch, function_, blocks, products, 1u, static_cast<unsigned>(launch_.threads), 1u, 1u,
                static_cast<unsigned>(launch_.sharedBytes), stream, static_cast<void **>(arguments),
                static_cast<void **>(nullptr));
  }

  LaunchShape launch_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

} // namespace hetc::tuning::cuda
