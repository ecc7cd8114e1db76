// An accelerator that every machine has: threads and memory of the host that behave like one, for tests and for trying
// distributions.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/device/emulated/emulated_memory.hpp"
#include "runtime/device/emulated/emulated_options.hpp"
#include "runtime/device/emulated/stream.hpp"
#include "runtime/threads/park.hpp"

#include <atomic>
#include <mutex>
#include <vector>

namespace tla::runtime {

/// Three in-order streams: kernels, copies in, copies out; a copy between two accelerators is one in at its
/// destination. Kernels are the host's bodies, so results are bitwise those of the host.
class EmulatedAccelerator final : public Accelerator {
public:
  /// Throws tla::Error when there are no addresses for the memory.
  explicit EmulatedAccelerator(const EmulatedOptions &options);
  /// The properties of one with these options.
  static AcceleratorProperties describe(const EmulatedOptions &options);

  const AcceleratorProperties &properties() const override { return properties_; }
  void *allocate(std::size_t bytes) override;
  void release(void *memory, std::size_t bytes) override { memory_.release(memory, bytes); }
  bool has(const TaskClass &) const override { return true; }
  bool reaches(const Accelerator &) const override { return true; }

  void copyIn(const TileCopy &copy, void *token) override;
  void copyOut(const TileCopy &copy, void *token) override;
  void copyFrom(Accelerator &peer, const TileCopy &copy, void *token) override;
  void launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) override;
  bool joins(const TaskClass &taskClass, const TaskSize &size) const override;
  void launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing standing,
                      void *token) override;

  int finished(Finished *list, int room) override;
  void wait(std::int64_t nanoseconds) override;
  void wake() override { parker_.unpark(); }

  /// For tests: where the accelerator's own threads find what the host knows at this address.
  template <typename T> T *inside(T *outer) const { return memory_.inside(outer); }

private:
  /// Counts the operations of one kind up to the one that shall fail.
  class Fault {
  public:
    explicit Fault(int nth) : left_(nth) {}
    bool strikes() { return left_.load(std::memory_order_relaxed) > 0 && left_.fetch_sub(1) == 1; }

  private:
    std::atomic<int> left_;
  };
  void submitCopy(Stream &stream, TileCopy copy, void *token);
  void report(Finished end);

  const EmulatedOptions options_;
  const AcceleratorProperties properties_;
  EmulatedMemory memory_;
  Fault kernelFault_, copyFault_, allocationFault_;
  Parker parker_; // of the thread that calls wait()
  std::mutex mutex_;
  std::vector<Finished> finished_; // guarded by mutex_
  Stream kernels_, in_, out_;      // last: their threads use the others
};

} // namespace tla::runtime
