// A CUDA device as an accelerator.
#pragma once

#include "kernels/cuda/launch.hpp"
#include "runtime/device/cuda/copy_stream.hpp"
#include "runtime/device/cuda/cuda_memory.hpp"
#include "runtime/device/cuda/helper_threads.hpp"
#include "runtime/device/cuda/module.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace tla::runtime {

/// Kernels on several streams, copies on one per direction; copies between devices are the destination's, beside those
/// from the host. The worker's thread only enqueues, and leaves to helpers what takes long even so: the end of a kernel
/// is an event, which finished() looks at, and wait() between its naps.
class CudaAccelerator final : public Accelerator {
public:
  /// `sharers`: processes that use the device, this one included, each with its part of the memory. Throws CudaError.
  CudaAccelerator(int device, const CudaMemory::Limit &limit, const CudaHost &host, int sharers = 1);
  ~CudaAccelerator() override;

  const AcceleratorProperties &properties() const override { return properties_; }
  void *allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void release(void *memory, std::size_t bytes) override { memory_.release(memory, bytes); }
  bool has(const TaskClass &taskClass) const override;
  bool reaches(const Accelerator &peer) const override;

  void copyIn(const TileCopy &copy, void *token) override { in_.submit(CopyStream::Way::In, copy, token); }
  void copyOut(const TileCopy &copy, void *token) override { out_.submit(CopyStream::Way::Out, copy, token); }
  void copyFrom(Accelerator &, const TileCopy &copy, void *token) override {
    in_.submit(CopyStream::Way::Peer, copy, token);
  }
  void launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) override;
  bool joins(const TaskClass &taskClass, const TaskSize &size) const override;
  void launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing standing,
                      void *token) override;

  std::string pin(void *memory, std::size_t bytes) override;
  void unpin(void *memory) override;

  int finished(Finished *list, int room) override;
  void wait(std::int64_t nanoseconds) override;
  void wake() override;

  /// Lets this device and the other read each other's memory, where the hardware can.
  void connect(CudaAccelerator &peer);

private:
  /// A stream for one kernel at a time.
  struct Lane {
    Lane(kernels::cuda::Urgency urgency, const kernels::cuda::TunedProducts &tuned);
    ~Lane();
    Lane(const Lane &) = delete;
    Lane &operator=(const Lane &) = delete;
    /// Whether the kernel has ended; then `end` says how.
    bool hasEnded(Finished &end);

    const kernels::cuda::Urgency urgency;
    kernels::cuda::Launch launch;
    cudaEvent_t begin = nullptr, end = nullptr;
    bool busy = false;
    void *token = nullptr;
    const TaskClass *taskClass = nullptr;

    // Whoever enqueues writes the following; it is the worker's again when `enqueued` is set.
    std::atomic<bool> enqueued{false};
    double enqueueSeconds = 0;
    int tasks = 1;
    char held = 0;     // the type, where each task was a product of our own
    int failed = -1;   // Finished::task
    std::string error; // of the call itself
  };
  Lane &idleLane(kernels::cuda::Urgency urgency);
  bool takesLong(const TaskClass &taskClass) const;
  Lane &takeLane(const TaskClass &taskClass, Standing standing, void *token);
  void noteEnqueueing(const Lane &lane);
  void enqueue(Lane &lane, std::span<const Task *const> tasks);
  void enqueueBodies(Lane &lane, std::span<const Task *const> tasks);
  void report(Finished end);
  bool anyEnded();

  const int device_;
  const CudaHost host_;
  CudaMemory memory_;
  AcceleratorProperties properties_;
  std::vector<int> reachable_; // devices whose memory this one can read
  std::optional<kernels::cuda::TunedProducts> tuned_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  // The worker's: of a task about, of the last ones; and the type of classes that had a product of our own.
  std::unordered_map<const TaskClass *, double> enqueueSeconds_;
  std::unordered_map<const TaskClass *, char> joining_;

  std::mutex mutex_; // guards what follows
  std::condition_variable woken_;
  std::atomic<bool> signal_{false}; // set under the mutex only, so that no sleeper misses it
  std::vector<Finished> finished_;  // copies
  CopyStream in_, out_;             // behind what their threads report to
  std::optional<HelperThreads> helpers_;
};

} // namespace tla::runtime
