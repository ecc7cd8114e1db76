#include "runtime/core/passes/replay.hpp"

#include "runtime/core/schedule/activity.hpp"

namespace tla::runtime {
namespace {

/// The instances of one node among those of all.
class OwnInstances final : public InstanceListener {
public:
  OwnInstances(int self, TaskSink &sink) : self_(self), sink_(sink) {}

  void transfer(const TileRef &tile, int source, int destination, int priority) override {
    if (source == self_)
      sink_.send(tile, destination, priority);
    else if (destination == self_)
      sink_.receive(tile, source, priority);
  }
  void task(int node, const TaskCall &call) override {
    if (node == self_)
      sink_.append(call);
  }

private:
  const int self_;
  TaskSink &sink_;
};

/// Takes the tasks of the whole program and gives one node's instances to another sink.
class ReplayPass final : public TaskSink {
public:
  ReplayPass(const Protocol &protocol, int self, TaskSink &sink)
      : sink_(sink), listener_(self, sink), instances_(protocol, listener_) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = sink_.table(storage, name, workspace, regions);
    instances_.add(table);
    return table;
  }
  void keep(const StorageRef &storage) override { sink_.keep(storage); }
  void setParameters(const void *parameters) override { sink_.setParameters(parameters); }
  void append(const TaskCall &call) override {
    if (!stopped())
      instances_.append(call);
  }
  void release(const TileRef &tile) override { sink_.release(tile); }
  void send(const TileRef &, int, int) override {}
  void receive(const TileRef &, int, int) override {}
  bool stopped() const override { return sink_.stopped(); }

private:
  TaskSink &sink_;
  OwnInstances listener_;
  Protocol::Instances instances_;
};

} // namespace

NodeProgram replay(const std::function<void(Generator &)> &generate, const Distribution &distribution, int self,
                   LoopProgress *progress) {
  auto protocol = std::make_shared<Protocol>(distribution);
  Protocol::LastWrites lastWrites(*protocol);
  runLoops(lastWrites, progress, generate);
  return [generate, protocol, self, progress](TaskSink &sink) {
    ReplayPass pass(*protocol, self, sink);
    runLoops(pass, progress, generate);
  };
}

} // namespace tla::runtime
