// An accelerator that is not there: it does nothing, and takes as long as a model says.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/predict/clock/shared_throughput.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {

/// The demand of a kernel on a device.
struct KernelDemand {
  double latency = 0; ///< seconds before it begins, in which others may use the device: launches
  double waits = 0;   ///< seconds more where others fill the device: until they have left room for each of its steps
  double work = 0;    ///< seconds in which it takes the whole device
  double share = 1;   ///< part of the device that it can use alone: 0 < share <= 1
  double host = 0;    ///< seconds of the thread of the host that begins one kernel after the other
};

/// The way between host and devices, or among these, in one direction.
struct VirtualLink {
  double bytesPerSecond = 0, latency = 0; ///< bandwidth and latency of one device
};

struct VirtualDevice {
  AcceleratorProperties properties;
  /// Null where there is no body for the kernel.
  std::function<bool(const TaskClass &)> has;
  std::function<KernelDemand(const TaskClass &, const TaskView &)> kernel;
  VirtualLink in, out, peer;
  bool priorities = false; ///< the more urgent (urgencyOf()) get what they can use first
  /// Null: no task joins().
  std::function<bool(const TaskClass &, const TaskSize &)> joins = {};
};

/// The machine's devices share what they are connected by.
struct VirtualBus {
  VirtualBus(VirtualTime &time, double bytesPerSecond)
      : time(time), in(time, bytesPerSecond), out(time, bytesPerSecond) {}
  VirtualTime &time;
  SharedThroughput in, out; ///< bytes per second of all devices together, to them and to the host
};

/// Kernels in flight run at the same time, and share the device's throughput; one thread of the host begins them.
/// Copies in and copies out are two queues, as a device has two copy engines. Faults strike as those of emulated
/// accelerators do.
class VirtualAccelerator final : public Accelerator, private VirtualTime::Listener {
public:
  struct Faults {
    int kernel = 0, copy = 0, allocation = 0; ///< the n-th of its kind fails; 0: none
  };
  VirtualAccelerator(VirtualDevice device, VirtualBus &bus, Faults faults);

  const AcceleratorProperties &properties() const override { return device_.properties; }
  void *allocate(std::size_t bytes) override;
  void release(void *memory, std::size_t bytes) override;
  bool has(const TaskClass &taskClass) const override { return device_.has(taskClass); }
  bool reaches(const Accelerator &) const override { return device_.peer.bytesPerSecond > 0; }

  void copyIn(const TileCopy &copy, void *token) override;
  void copyOut(const TileCopy &copy, void *token) override;
  void copyFrom(Accelerator &peer, const TileCopy &copy, void *token) override;
  void launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) override;
  bool joins(const TaskClass &taskClass, const TaskSize &size) const override {
    return device_.joins && device_.joins(taskClass, size);
  }
  void launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing standing,
                      void *token) override;

  int finished(Finished *list, int room) override;
  /// Time goes on elsewhere.
  void wait(std::int64_t) override {}
  void wake() override {}

  /// Seconds in which its processors were in use, as if one after the other, all of them: at most those that have gone
  /// by.
  double busySeconds() const { return processors_.delivered(); }

private:
  /// An operation in flight.
  struct Operation {
    void *token = nullptr;
    double begin = 0;
    KernelDemand demand = {};   ///< demand of a kernel
    int urgency = 0, parts = 0; ///< urgency of a kernel, and parts of its latency that are still to come
    int engine = -1;            ///< engine of a copy
    std::string error = {};
  };
  /// A queue of copies, one at a time.
  struct Engine {
    struct Waiting {
      std::uint64_t operation;
      double bytes;
      VirtualLink link;
      SharedThroughput *bus; ///< bus that devices share; null: none
    };
    std::deque<Waiting> queue;
    bool busy = false;
  };
  enum Stage : std::uint64_t { Launched, Ended, OnTheWay, Copied, Stages };
  void goOn(Operation &operation, std::uint64_t number);

  std::uint64_t enter(void *token, std::string error);
  void enqueue(int engine, const TileCopy &copy, const VirtualLink &link, SharedThroughput *bus, void *token);
  void beginCopy(int engine);
  void at(std::uint64_t token) override;
  void end(std::uint64_t operation);

  const VirtualDevice device_;
  VirtualBus &bus_;
  Faults faults_;
  SharedThroughput processors_;
  double hostFree_ = 0; ///< when the thread that begins kernels has begun the last one
  Engine engines_[2];
  std::map<std::uint64_t, Operation> operations_;
  std::uint64_t next_ = 0;
  std::deque<Finished> finished_;

  std::size_t used_ = 0;
  std::uintptr_t fresh_;
  std::map<std::size_t, std::vector<void *>> free_; // by size
};

} // namespace tla::runtime
