#include "runtime/core/passes/device_counts.hpp"

#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/places/homes.hpp"
#include "runtime/core/places/places.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/packing.hpp"

#include <deque>

namespace tla::runtime {
namespace {

class DeviceSink final : public PlacedSink {
public:
  using Seconds = decltype(CostOptions::deviceSeconds);
  DeviceSink(int accelerators, const Distribution *distribution, int rank, const Seconds &seconds)
      : counts_(accelerators), tables_(distribution, rank), seconds_(seconds) {}
  std::vector<DeviceCost> take() { return std::move(counts_); }

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return tables_.table(storage, name, workspace, regions);
  }
  TileTable &replica(TileTable &matrix, int place) override { return replicas_.emplace_back(matrix, place); }
  void keep(const StorageRef &storage) override { tables_.keep(storage); }
  void setParameters(const void *parameters) override { flops_.setParameters(parameters); }
  void append(const TaskCall &) override {}
  void appendAt(int place, const TaskCall &call) override {
    if (place == hostPlace)
      return;
    DeviceCost &device = counts_[place - 1];
    const double flops = flops_.of(call);
    ++device.tasks;
    device.flops += flops;
    device.updateFlops += isUpdate(call.taskClass) ? flops : 0;
    device.seconds += seconds_ ? seconds_(place - 1, call.taskClass, flops_.view(call)) : 0;
  }
  void copy(const TileRef &from, TileTable &to, int) override {
    const int source = from.matrix->place();
    DeviceCost &device = counts_[(to.place() ? to.place() : source) - 1];
    CopyCounts &counts = !to.place() ? device.out : source ? device.peer : device.in;
    ++counts.copies;
    counts.bytes += packedBytes(from);
  }
  void release(const TileRef &) override {}
  void reserve(int, std::size_t) override {}
  void send(const TileRef &, int, int) override {}
  void receive(const TileRef &, int, int) override {}
  bool stopped() const override { return false; }

private:
  std::vector<DeviceCost> counts_; // by place - 1
  FlopCount flops_;
  DryTables tables_; // before the replicas, which borrow from them
  std::deque<TileTable> replicas_;
  const Seconds &seconds_;
};

} // namespace

std::vector<DeviceCost> countDevices(const std::function<void(TaskSink &)> &stream, const NodePlaces &places,
                                     const Distribution *distribution, int rank,
                                     const decltype(CostOptions::deviceSeconds) &seconds) {
  TileUses uses;
  {
    TileUses::Recorder recorder(uses, places, distribution, rank);
    stream(recorder);
  }
  DeviceSink sink(places.count() - 1, distribution, rank, seconds);
  Places placed(places, uses, sink);
  stream(placed);
  std::vector<DeviceCost> counts = sink.take();
  for (int place = 1; place < places.count(); ++place) {
    counts[place - 1].comingAgain = placed.evictionCopies(place).in;
    counts[place - 1].makingRoom = placed.evictionCopies(place).out;
    counts[place - 1].residentBytes = places.homes ? places.homes->bytes(places, place) : 0;
  }
  return counts;
}

} // namespace tla::runtime
