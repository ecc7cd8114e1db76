#include "runtime/core/replay.hpp"

namespace tla::runtime {
namespace {

/// The uses of other nodes' tiles on this node, numbered in program order. A first pass finds those after which the
/// content is not needed any more; in the second they are known beforehand.
class ForeignUses {
public:
  /// One more use of a part of a tile. `fresh`: with new content from another node, so that the one before was not
  /// needed after its last use.
  void record(const TileTable &table, int row, int column, int half, bool fresh) {
    std::uint64_t &latest = latestOf(table, row, column, half);
    if (fresh && latest)
      last_[latest - 1] = true;
    last_.push_back(false);
    latest = last_.size();
  }
  void endRecording() {
    for (const std::vector<std::uint64_t> &latest : latest_)
      for (const std::uint64_t use : latest)
        if (use)
          last_[use - 1] = true;
    latest_.clear();
  }
  /// The next use in the second pass: whether it is the last of its content.
  bool next() { return last_[next_++]; }

private:
  std::uint64_t &latestOf(const TileTable &table, int row, int column, int half) {
    const std::size_t matrix = table.number(), rows = table.storage().mt();
    if (latest_.size() <= matrix)
      latest_.resize(matrix + 1);
    if (latest_[matrix].empty())
      latest_[matrix].resize(2 * rows * table.storage().nt());
    return latest_[matrix][2 * (row + column * rows) + half];
  }
  std::vector<bool> last_;
  std::vector<std::vector<std::uint64_t>> latest_; // by matrix, tile and half: number of the use + 1
  std::size_t next_ = 0;
};

/// Calls use(half) for each half of the tile that the region means.
template <typename Use> void forEachHalf(const TileTable &table, Region region, Use &&use) {
  if (!table.regions() || region != Region::Upper)
    use(0);
  if (table.regions() && region != Region::Lower)
    use(1);
}

/// What both passes do: the uses of other nodes' tiles among the instances of this node.
class OwnInstances : public InstanceListener {
public:
  explicit OwnInstances(int self) : self_(self) {}

  void transfer(TileTable &matrix, int row, int column, Region region, int source, int destination) override {
    if (source == self_)
      send(matrix, row, column, region, destination);
    else if (destination == self_)
      receive(matrix, row, column, region, source);
    else
      return;
    useIfForeign(matrix, row, column, region, destination == self_);
  }
  void task(int node, const TaskClass &taskClass, int priority, const int *indices, int indexCount,
            const TileAccess *accesses, int accessCount) override {
    if (node != self_)
      return;
    own(taskClass, priority, indices, indexCount, accesses, accessCount);
    for (int i = 0; i < accessCount; ++i)
      if (accesses[i].matrix->has(accesses[i].row, accesses[i].column))
        useIfForeign(*accesses[i].matrix, accesses[i].row, accesses[i].column, accesses[i].region, false);
  }
  void endTask() override {}

protected:
  ~OwnInstances() = default;
  virtual void send(TileTable &, int, int, Region, int) {}
  virtual void receive(TileTable &, int, int, Region, int) {}
  virtual void own(const TaskClass &, int, const int *, int, const TileAccess *, int) {}
  virtual void use(TileTable &matrix, int row, int column, int half, bool fresh) = 0;

private:
  void useIfForeign(TileTable &matrix, int row, int column, Region region, bool fresh) {
    if (matrix.node(row, column) != self_)
      forEachHalf(matrix, region, [&](int half) { use(matrix, row, column, half, fresh); });
  }
  const int self_;
};

class Recording final : public OwnInstances {
public:
  Recording(int self, ForeignUses &uses) : OwnInstances(self), uses_(uses) {}

private:
  void use(TileTable &matrix, int row, int column, int half, bool fresh) override {
    uses_.record(matrix, row, column, half, fresh);
  }
  ForeignUses &uses_;
};

class Generating final : public OwnInstances {
public:
  Generating(int self, ForeignUses &uses, TaskSink &generator)
      : OwnInstances(self), uses_(uses), generator_(generator) {}

  /// Contents that no instance of this node needs any more, after all instances of the task.
  void endTask() override {
    for (const TileAccess &tile : used_)
      generator_.release(*tile.matrix, tile.row, tile.column, tile.region);
    used_.clear();
  }

private:
  void send(TileTable &matrix, int row, int column, Region region, int destination) override {
    generator_.send(matrix, row, column, region, destination);
  }
  void receive(TileTable &matrix, int row, int column, Region region, int source) override {
    generator_.receive(matrix, row, column, region, source);
  }
  void own(const TaskClass &taskClass, int priority, const int *indices, int indexCount, const TileAccess *accesses,
           int accessCount) override {
    generator_.append(taskClass, priority, indices, indexCount, accesses, accessCount);
  }
  void use(TileTable &matrix, int row, int column, int half, bool) override {
    if (uses_.next())
      used_.push_back({&matrix, row, column, Access::Read,
                       !matrix.regions() ? Region::Full : half ? Region::Upper : Region::Lower});
  }
  ForeignUses &uses_;
  TaskSink &generator_;
  std::vector<TileAccess> used_;
};

/// A pass without a window.
class DryPass final : public TaskSink {
public:
  DryPass(const Distribution &distribution, Protocol::Instances &instances, TaskSink &generator)
      : tables_(distribution), instances_(instances), generator_(generator) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = tables_.table(storage, name, workspace, regions);
    instances_.add(table);
    return table;
  }
  void keep(const StorageRef &storage) override { tables_.keep(storage); }
  void setParameters(const void *) override {}
  void append(const TaskClass &taskClass, int priority, const int *indices, int indexCount, const TileAccess *accesses,
              int accessCount) override {
    instances_.append(taskClass, priority, indices, indexCount, accesses, accessCount);
  }
  void release(TileTable &, int, int, Region) override {}
  void send(TileTable &, int, int, Region, int) override {}
  void receive(TileTable &, int, int, Region, int) override {}
  bool stopped() const override { return generator_.stopped(); }

private:
  DryTables tables_;
  Protocol::Instances &instances_;
  TaskSink &generator_;
};

/// The pass whose instances go to the window.
class FinalPass final : public TaskSink {
public:
  FinalPass(Protocol::Instances &instances, TaskSink &generator)
      : instances_(instances), generator_(generator) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = generator_.table(storage, name, workspace, regions);
    instances_.add(table);
    return table;
  }
  void keep(const StorageRef &storage) override { generator_.keep(storage); }
  void setParameters(const void *parameters) override { generator_.setParameters(parameters); }
  void append(const TaskClass &taskClass, int priority, const int *indices, int indexCount, const TileAccess *accesses,
              int accessCount) override {
    if (!stopped())
      instances_.append(taskClass, priority, indices, indexCount, accesses, accessCount);
  }
  void release(TileTable &matrix, int row, int column, Region region) override {
    generator_.release(matrix, row, column, region);
  }
  void send(TileTable &, int, int, Region, int) override {}
  void receive(TileTable &, int, int, Region, int) override {}
  bool stopped() const override { return generator_.stopped(); }

private:
  Protocol::Instances &instances_;
  TaskSink &generator_;
};

void run(const std::function<void(Generator &)> &generate, TaskSink &sink) {
  Generator handle(sink);
  generate(handle);
}

} // namespace

void replay(const std::function<void(Generator &)> &generate, const Distribution &distribution, int self,
            TaskSink &generator) {
  Protocol protocol(distribution);
  ForeignUses uses;
  {
    Protocol::LastWrites pass(protocol);
    run(generate, pass);
  }
  {
    Recording recording(self, uses);
    Protocol::Instances instances(protocol, recording);
    DryPass pass(distribution, instances, generator);
    run(generate, pass);
    uses.endRecording();
  }
  Generating generating(self, uses, generator);
  Protocol::Instances instances(protocol, generating);
  FinalPass pass(instances, generator);
  run(generate, pass);
}

} // namespace tla::runtime
