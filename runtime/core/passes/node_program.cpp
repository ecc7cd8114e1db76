#include "runtime/core/passes/node_program.hpp"

#include "runtime/core/passes/last_uses.hpp"
#include "runtime/core/passes/replay.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/halves.hpp"
#include "runtime/core/window/packing.hpp"

namespace tla::runtime {
namespace {

bool isOwn(const TileRef &tile, int self) {
  return tile.matrix->has(tile.row, tile.column) && tile.matrix->node(tile.row, tile.column) == self;
}

/// Looks at a node's instances: what moves, and which tiles they use that are to be released.
class Recording final : public DryPass {
public:
  Recording(const Distribution &distribution, int self, LastUses &uses, const TaskSink &generator)
      : DryPass(&distribution), self_(self), uses_(uses), generator_(generator) {}

  void append(const TaskCall &call) override {
    for (int i = 0; i < call.accessCount; ++i)
      if (const TileAccess &access = call.accesses[i]; access.matrix->has(access.row, access.column))
        use(access.tile(), false);
  }
  void send(const TileRef &tile, int, int) override {
    ++counts.messages;
    counts.bytes += packedBytes(tile);
    use(tile, false);
  }
  void receive(const TileRef &tile, int, int) override {
    ++counts.received;
    counts.receivedBytes += packedBytes(tile);
    use(tile, true);
  }
  /// Another node's release of its tile says nothing about the copy here.
  void release(const TileRef &tile) override {
    if (isOwn(tile, self_) && tile.matrix->workspace())
      forEachHalf(tile, [&](int half) { uses_.release(tile, half); });
  }
  bool stopped() const override { return generator_.stopped(); }

  TransferCounts counts;

private:
  void use(const TileRef &tile, bool fresh) {
    if (isTemporary(tile, self_))
      forEachHalf(tile, [&](int half) { uses_.record(tile, half, fresh); });
  }
  const int self_;
  LastUses &uses_;
  const TaskSink &generator_;
};

/// The second pass: gives the instances to the generator, and releases behind them.
class Releasing final : public TaskSink {
public:
  Releasing(int self, LastUses &uses, TaskSink &generator) : self_(self), uses_(uses), generator_(generator) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return generator_.table(storage, name, workspace, regions);
  }
  void keep(const StorageRef &storage) override { generator_.keep(storage); }
  void setParameters(const void *parameters) override { generator_.setParameters(parameters); }
  void append(const TaskCall &call) override {
    if (stopped()) // the first pass may have ended early, too
      return;
    generator_.append(call);
    for (int i = 0; i < call.accessCount; ++i)
      if (const TileAccess &access = call.accesses[i]; access.matrix->has(access.row, access.column))
        use(access.tile());
    releaseUsed();
  }
  void send(const TileRef &tile, int destination, int priority) override {
    if (stopped())
      return;
    generator_.send(tile, destination, priority);
    use(tile);
    releaseUsed();
  }
  void receive(const TileRef &tile, int source, int priority) override {
    if (stopped())
      return;
    generator_.receive(tile, source, priority);
    use(tile);
    releaseUsed();
  }
  /// Ignores the program's own releases, which are among the last uses, except of a tile outside of the matrix: that is
  /// every node's, for the run to end with.
  void release(const TileRef &tile) override {
    if (!tile.matrix->has(tile.row, tile.column))
      generator_.release(tile);
  }
  bool stopped() const override { return generator_.stopped(); }

private:
  void use(const TileRef &tile) {
    if (isTemporary(tile, self_))
      forEachHalf(tile, [&](int half) {
        if (uses_.next())
          used_.push_back({tile.matrix, tile.row, tile.column, Halves::region(*tile.matrix, half)});
      });
  }
  /// After all uses of the instance: it may name a tile several times.
  void releaseUsed() {
    for (const TileRef &tile : used_)
      generator_.release(tile);
    used_.clear();
  }
  const int self_;
  LastUses &uses_;
  TaskSink &generator_;
  std::vector<TileRef> used_; // for the last time, by the present instance
};

} // namespace

bool hasNodeLoops(const Algorithm &algorithm, const Distribution &distribution) {
  return algorithm.generateNode && distribution.name() == algorithm.distribution;
}

NodeProgram nodeProgram(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                        int self, LoopProgress *progress) {
  if (!hasNodeLoops(algorithm, distribution))
    return replay([&](Generator &generator) { algorithm.generate(generator, arguments); }, distribution, self,
                  progress);
  return [&, progress, at = distribution.coordinates(self)](TaskSink &sink) {
    runLoops(sink, progress, [&](Generator &generator) { algorithm.generateNode(generator, arguments, at.x, at.y); });
  };
}

TransferCounts generateInstances(const NodeProgram &program, const Distribution &distribution, int self,
                                 TaskSink &generator) {
  LastUses uses;
  Recording recording(distribution, self, uses, generator);
  program(recording);
  uses.endRecording();
  Releasing releasing(self, uses, generator);
  program(releasing);
  return recording.counts;
}

} // namespace tla::runtime
