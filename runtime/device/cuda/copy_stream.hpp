// Copies of tiles in one direction ([Song12] 5.4: a stream per direction).
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/device/accelerator.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace tla::runtime {

/// A stream of a device and a thread that feeds it. Host memory that is not pinned goes through pinned buffers, packed
/// and unpacked by the thread and its helpers (staging_threads.hpp), so that neither the worker nor a kernel waits for
/// that; registering the caller's
/// memory with CUDA instead would cost more than a copy of it. What is pinned already, as the executor's own tiles are,
/// is copied directly. Several copies are
/// on the way at one time: one is packed while others are in the stream.
class CopyStream {
public:
  enum class Way { In, Out, Peer };
  static constexpr int copiesInFlight = 4;

  /// `report` is called once per copy, by the thread.
  CopyStream(int device, std::function<void(Finished)> report);
  CopyStream(const CopyStream &) = delete;
  CopyStream &operator=(const CopyStream &) = delete;
  /// Nothing may be on the way.
  ~CopyStream();

  void submit(Way way, const TileCopy &copy, void *token);

private:
  struct Request {
    Way way;
    TileCopy copy;
    void *token;
  };
  struct Slot {
    cudaEvent_t begin = nullptr, end = nullptr;
    char *buffer = nullptr; // pinned
    std::size_t size = 0;
    Request request;
    bool staged = false; // `buffer` takes part
  };

  void create();
  void destroy();
  void loop();
  bool take(Request &request, bool wait);
  void begin(const Request &request);
  void enqueue(Slot &slot);
  void finishOldest();
  Slot &slotAt(int position) { return slots_[(oldest_ + position) % copiesInFlight]; }

  const int device_;
  const std::function<void(Finished)> report_;
  cudaStream_t stream_ = nullptr;

  // The thread's own: slots [oldest_, oldest_ + count_) are on the way, in the order of the stream.
  std::array<Slot, copiesInFlight> slots_;
  int oldest_ = 0, count_ = 0;

  std::mutex mutex_; // guards what follows
  std::condition_variable filled_;
  std::deque<Request> queue_;
  bool quit_ = false;
  Thread thread_; // last: uses the others
};

} // namespace tla::runtime
