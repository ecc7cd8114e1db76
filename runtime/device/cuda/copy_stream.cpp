#include "runtime/device/cuda/copy_stream.hpp"

#include "kernels/cuda/check.hpp"
#include "runtime/device/cuda/device_scope.hpp"
#include "runtime/device/cuda/region_copy.hpp"
#include "runtime/device/cuda/staging_threads.hpp"

namespace tla::runtime {

static bool isPinnedAt(const void *memory) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, memory);
  if (status != cudaSuccess)
    cudaGetLastError(); // a driver of old that does not know the address
  return status == cudaSuccess && attributes.type == cudaMemoryTypeHost;
}

/// From the first element to the last: pages are pinned, and a matrix may begin in one that belongs to another, too.
static bool isPinned(const TileCopy &copy, bool source) {
  const char *const first = static_cast<const char *>(source ? copy.source : copy.destination);
  const std::size_t ld = source ? copy.sourceLd : copy.destinationLd;
  const std::size_t bytes = (ld * (copy.columns - 1) + copy.rows) * copy.elementBytes;
  return copy.rows > 0 && copy.columns > 0 && isPinnedAt(first) && isPinnedAt(first + bytes - 1);
}

/// The same copy with a packed buffer in place of the source or the destination: its leading dimension is that of the
/// tile's rows.
static TileCopy withSource(TileCopy copy, const void *buffer) {
  copy.source = buffer;
  copy.sourceLd = copy.rows;
  return copy;
}
static TileCopy withDestination(TileCopy copy, void *buffer) {
  copy.destination = buffer;
  copy.destinationLd = copy.rows;
  return copy;
}

static void copyOnHost(const TileCopy &copy) { StagingThreads::ofThisProcess().copy(copy); }

/// By the copy engines, whatever the region.
static void enqueueRectangle(const TileCopy &copy, cudaStream_t stream) {
  TLA_CUDA_CHECK(cudaMemcpy2DAsync(copy.destination, copy.destinationLd * copy.elementBytes, copy.source,
                                   copy.sourceLd * copy.elementBytes, copy.rows * copy.elementBytes, copy.columns,
                                   cudaMemcpyDefault, stream));
}

CopyStream::CopyStream(int device, std::function<void(Finished)> report) : device_(device), report_(std::move(report)) {
  try {
    create();
    thread_ = Thread([this] { loop(); });
  } catch (...) {
    destroy();
    throw;
  }
}

CopyStream::~CopyStream() {
  const DeviceScope scope(device_);
  {
    const std::lock_guard guard(mutex_);
    quit_ = true;
  }
  filled_.notify_one();
  thread_.join();
  destroy();
}

/// Events that are waited for asleep.
void CopyStream::create() {
  const DeviceScope scope(device_);
  TLA_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  for (Slot &slot : slots_) {
    TLA_CUDA_CHECK(cudaEventCreateWithFlags(&slot.begin, cudaEventDefault));
    TLA_CUDA_CHECK(cudaEventCreateWithFlags(&slot.end, cudaEventBlockingSync));
  }
}

void CopyStream::destroy() {
  for (Slot &slot : slots_) {
    if (slot.begin)
      cudaEventDestroy(slot.begin);
    if (slot.end)
      cudaEventDestroy(slot.end);
    cudaFreeHost(slot.buffer);
  }
  if (stream_)
    cudaStreamDestroy(stream_);
}

void CopyStream::submit(Way way, const TileCopy &copy, void *token) {
  {
    const std::lock_guard guard(mutex_);
    queue_.push_back({way, copy, token});
  }
  filled_.notify_one();
}

/// False: there is none; when it was to wait, the end has come.
bool CopyStream::take(Request &request, bool wait) {
  std::unique_lock lock(mutex_);
  if (wait)
    filled_.wait(lock, [this] { return quit_ || !queue_.empty(); });
  if (queue_.empty())
    return false;
  request = queue_.front();
  queue_.pop_front();
  return true;
}

/// New copies enter the stream before old ones are waited for; what has ended is reported first.
void CopyStream::loop() {
  cudaSetDevice(device_); // an error shows at the first copy
  for (Request request;;) {
    while (count_ > 0 && cudaEventQuery(slotAt(0).end) != cudaErrorNotReady)
      finishOldest();
    if (count_ < copiesInFlight && take(request, count_ == 0))
      begin(request);
    else if (count_ > 0)
      finishOldest();
    else
      return;
  }
}

void CopyStream::begin(const Request &request) {
  Slot &slot = slotAt(count_);
  slot.request = request;
  try {
    TLA_CUDA_CHECK(cudaEventRecord(slot.begin, stream_));
    enqueue(slot);
    TLA_CUDA_CHECK(cudaEventRecord(slot.end, stream_));
    ++count_;
  } catch (const std::exception &error) {
    cudaStreamSynchronize(stream_); // what has been enqueued uses the memory no more
    report_({request.token, 0, 0, error.what()});
  }
}

void CopyStream::enqueue(Slot &slot) {
  const auto &[way, copy, token] = slot.request;
  const bool whole = copy.region == Region::Full;
  slot.staged = way != Way::Peer && !(whole && isPinned(copy, way == Way::In));
  if (!slot.staged)
    return whole ? enqueueRectangle(copy, stream_) : copyRegion(copy, stream_);
  const std::size_t bytes = copy.elementBytes * copy.rows * copy.columns;
  if (slot.size < bytes) {
    TLA_CUDA_CHECK(cudaFreeHost(slot.buffer));
    slot.buffer = nullptr;
    slot.size = 0;
    TLA_CUDA_CHECK(cudaHostAlloc(reinterpret_cast<void **>(&slot.buffer), bytes, cudaHostAllocPortable));
    slot.size = bytes;
  }
  if (way == Way::Out)
    return enqueueRectangle(withDestination(copy, slot.buffer), stream_);
  copyOnHost(withDestination(copy, slot.buffer));
  const TileCopy second = withSource(copy, slot.buffer);
  whole ? enqueueRectangle(second, stream_) : copyRegion(second, stream_);
}

void CopyStream::finishOldest() {
  const Slot &slot = slotAt(0);
  Finished end{slot.request.token, 0, 0, ""};
  try {
    TLA_CUDA_CHECK(cudaEventSynchronize(slot.end));
    if (slot.staged && slot.request.way == Way::Out)
      copyOnHost(withSource(slot.request.copy, slot.buffer));
    float milliseconds = 0;
    TLA_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, slot.begin, slot.end));
    end.seconds = milliseconds * 1e-3;
  } catch (const std::exception &error) {
    end.error = error.what();
  }
  oldest_ = (oldest_ + 1) % copiesInFlight;
  --count_;
  report_(std::move(end));
}

} // namespace tla::runtime
