// The generating thread's side of a run ([Song12] 4 and 5.2).
#pragma once

#include "runtime/core/engine.hpp"
#include "runtime/core/places.hpp"
#include "runtime/core/tile_table.hpp"
#include "runtime/core/worker.hpp"

#include <tla/runtime/generator.hpp>

#include <memory>
#include <vector>

namespace tla::runtime {

/// Appends the tasks of one run. Lives on the generating thread's stack for the length of the run; nothing in it is
/// shared.
class GeneratorImpl final : public PlacedSink {
public:
  GeneratorImpl(Engine &engine, Worker &self) : engine_(engine), self_(self) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override;
  void keep(const StorageRef &storage) override { kept_.push_back(storage); }
  void setParameters(const void *parameters) override { parameters_ = parameters; }
  void append(const TaskClass &taskClass, int priority, const int *indices, int indexCount, const TileAccess *accesses,
              int accessCount) override;
  void release(TileTable &table, int row, int column, Region region) override;
  void send(TileTable &table, int row, int column, Region region, int destination) override;
  void receive(TileTable &table, int row, int column, Region region, int source) override;
  // With accelerators.
  TileTable &replica(TileTable &matrix, int place) override;
  void appendAt(int place, const TaskClass &taskClass, int priority, const int *indices, int indexCount,
                const TileAccess *accesses, int accessCount) override;
  void copy(TileTable &from, TileTable &to, int row, int column, Region region, int priority) override;
  void reserve(int place, std::size_t bytes) override;

  void failBetweenTasks(std::string message);
  bool stopped() const override { return engine_.state.stopped(); }

  /// Helps until all tasks are complete. Always returns: a stopped run's tasks complete without their kernels.
  void finish();
  /// After finish(): brings renamed tiles home and frees what is left of the workspaces.
  void settle();
  void addTo(Statistics &statistics, double secondsPerTick) const;
  const std::vector<const TaskClass *> &classes() const { return classes_; }
  /// When the first task was appended.
  Ticks begin() const { return begin_; }

private:
  void addRegions(TileTable &table);

  // The window.
  Task *newTask(const int *indices, int indexCount);
  void appendTask(const TaskClass &taskClass, int priority, const int *indices, int indexCount,
                  const TileAccess *accesses, int accessCount, std::uint8_t unit);
  void appendTransfer(const TaskClass &taskClass, const TileAccess &access, int peer,
                      std::vector<std::uint32_t> &ordinals);
  Task *helpUntilRoom();
  template <typename Ready> void helpUntil(Ready ready);
  void sleepUntilReturned(std::size_t count);
  void flushReady();
  void submitReady();
  std::uint16_t classIndex(const TaskClass &taskClass);
  void fail(std::string message);
  const TileAccess *mainOutput() const;

  // APPEND; see append.cpp. The functions that return bool say whether the access is satisfied.
  bool makeRoom(Task &task, int indexCount);
  int link(Task &task);
  int linkAccess(Task &task, const TileAccess &access, int number, int &extra);
  bool linkHalf(const TileAccess &access, int half, AccessNode &node);
  bool appendRead(TileList &list, AccessNode &node);
  bool appendWrite(TileList &list, const TileAccess &access, AccessNode &node);
  void takeOver(TileList &list, AccessNode &node);
  bool close(TileList &list, AccessNode *writer);
  bool mayRename(const TileAccess &access);
  bool namedTwice(const TileAccess &access) const;
  Version *newVersion(const TileAccess &access, int number, std::uint64_t producer);
  bool startList(const TileAccess &access);
  static bool forget(Version &version);
  void releaseHalves(TileTable &table, int row, int column, Region region);
  void drop(TileList &list);
  bool failAccess(const TileAccess &access, const char *what);

  static constexpr int readyBatch = 32, eagerBatch = 8;
  struct ClassSlot {
    const TaskClass *taskClass = nullptr;
    std::uint16_t index = 0;
  };

  Engine &engine_;
  Worker &self_;
  const void *parameters_ = nullptr;
  std::uint64_t sequence_ = 0; // of the last task; the first is 1
  std::size_t appended_ = 0;
  Chain<Task> ready_;                   // ready on arrival, not yet submitted
  Chain<Task> transfers_, accelerated_; // the same, for other units
  int sinceFlush_ = 0;                  // appends
  // The task that is being appended.
  const TaskClass *taskClass_ = nullptr;
  const TileAccess *accesses_ = nullptr;
  int accessCount_ = 0;

  std::vector<std::uint32_t> sent_, received_; // messages so far, by peer
  std::vector<StorageRef> kept_;               // before the tables, which borrow from it
  std::vector<std::unique_ptr<TileTable>> tables_, replicas_;
  std::vector<const TaskClass *> classes_;
  ClassSlot classSlots_[64];

  Ticks begin_ = 0, end_ = 0, helping_ = 0;
  std::uint64_t windowFull_ = 0, renames_ = 0;
};

} // namespace tla::runtime
