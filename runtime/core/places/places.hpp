// Where on its node each task runs, and what has to be copied for that ([Song12] section 6, the intra-node rules 3, 6
// and 7): between what generates the node's tasks, sends and receives, and the window.
#pragma once

#include "runtime/core/places/residency.hpp"

#include <tla/runtime/executor.hpp>

namespace tla::runtime {

/// Takes the tasks of a node with places. The functions of TaskSink mean the host.
class PlacedSink : public TaskSink {
public:
  /// Where accelerator `place` has its copies of the matrix's tiles: memory only while in use, no home. `matrix` is
  /// what table() returned; once for each matrix and place.
  virtual TileTable &replica(TileTable &matrix, int place) = 0;
  /// The accesses name tiles of that place.
  virtual void appendAt(int place, const TaskCall &call) = 0;
  /// The content of a tile, of a part of it, goes from one place to the same tile of `to`, at another one.
  virtual void copy(const TileRef &from, TileTable &to, int priority) = 0;
  /// The next task will need that much more memory there. All tiles that are there, this one too, are within the
  /// accelerator's memory; but memory that was released may still be used by tasks that are not complete.
  virtual void reserve(int place, std::size_t bytes) = 0;

protected:
  ~PlacedSink() = default;
};

/// Moves the tiles of a node's tasks between its places: takes the node's stream of tasks, sends and receives, and
/// passes it on with copies, releases and reservations in between.
///
/// A task runs where PlaceRule says. A version of a tile is produced where its writer runs, and goes from there to each
/// place whose tasks read it, once, in front of the first such task. Where it is needed no more it goes: behind its
/// last use there (TileUses), or when the tile is written elsewhere. What is sent to other nodes goes to the host, and
/// the last version of each tile of a caller's matrix goes home, directly behind its writer. So the caller's matrices
/// are complete at the end, and no accelerator keeps anything.
///
/// Home is the host except for tiles of resident matrices (homes.hpp), which may be at home with an accelerator: there
/// is their content before the run and behind it, and their memory all the time, used or not. Before the run the host
/// has it, too, if no run has written the tile since it went there: its memory, which may be read only, is not written
/// then.
///
/// When an accelerator's memory is full except for a small part, which is for tiles on the way, tiles are evicted in
/// front of the task that needs the room, first those whose next use there is furthest; content that nobody else has
/// and somebody needs goes to the host. All this is decided in program order from the stream of tasks, sends and
/// receives alone: a run does what a count beforehand has said.
///
/// Halves of tiles (halves.hpp) have contents of their own; they share the memory of their tile at each place.
class Places final : public TaskSink {
public:
  /// `uses`: recorded from the same stream. Throws UsageError when an accelerator's memory is less than one task needs.
  Places(const NodePlaces &places, TileUses &uses, PlacedSink &sink);

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override;
  void keep(const StorageRef &storage) override { sink_.keep(storage); }
  void setParameters(const void *parameters) override { sink_.setParameters(parameters); }
  void append(const TaskCall &call) override;
  void release(const TileRef &tile) override;
  void send(const TileRef &tile, int destination, int priority) override;
  void receive(const TileRef &tile, int source, int priority) override;
  bool stopped() const override { return sink_.stopped(); }

  /// The most memory that tiles took at one time, in program order.
  std::size_t peakBytes(int place) const { return residencies_[place - 1].peak(); }
  /// The copies of an accelerator that are made because tiles were evicted: content that comes though it, or a half
  /// of it, has been there, and what goes to the host to make room. With memory for all tiles none of them is made.
  struct EvictionCopies {
    CopyCounts in, out;
  };
  const EvictionCopies &evictionCopies(int place) const { return evictionCopies_[place - 1]; }

private:
  static constexpr int unknown = -1; // nobody has asked for the half yet
  struct Half {
    PlaceSet holders = 0;   ///< who has the present content
    PlaceSet visited = 0;   ///< who has had the present content
    int producer = unknown; ///< where it was written
  };
  struct Matrix {
    std::vector<TileTable *> tables; ///< table of each place
    SparseArray<Half> halves; ///< entries of the tiles that were named; of a resident matrix also of its own tiles
    MatrixHomes *homes;       ///< null: all tiles are at home with the host
  };
  using Tile = Residency::Tile;

  /// Throws std::bad_alloc where the tile is named for the first time.
  Half &half(const Tile &tile, int number);
  TileTable &tableAt(const Tile &tile, int place) { return *matrices_[tile.matrix].tables[place]; }
  TileRef refAt(const Tile &tile, int place, Region region = Region::Full) {
    return {&tableAt(tile, place), tile.row, tile.column, region};
  }
  PlaceSet holders(const Tile &tile);
  int home(const Tile &tile) const;
  Residency &residency(int place) { return residencies_[place - 1]; }

  void makeRoom(int place, const TaskCall &call);
  void evict(int place, const Tile &tile);
  void bring(const Tile &tile, Region region, int place, int priority);
  int source(const Half &half, int place) const;
  void copy(const Tile &tile, Region region, int from, int to, int priority);
  void noteEvictionCopy(int from, int to, std::size_t bytes);
  void produce(const Tile &tile, Region region, int place);
  void bringHome(const Tile &tile, Region region);
  void dropUnneeded(const Tile &tile, int user);
  bool needed(const Tile &tile, int place);
  void drop(const Tile &tile, int place);
  StreamTime nextUse(const Tile &tile, int place);

  const NodePlaces &places_;
  TileUses &uses_;
  PlacedSink &sink_;
  PlaceRule rule_;
  std::vector<Matrix> matrices_;               // by number
  std::vector<Residency> residencies_;         // by place - 1
  std::vector<EvictionCopies> evictionCopies_; // by place - 1
  bool isEvicting_ = false;
  StreamTime time_ = 0;
  std::vector<TileAccess> moved_; // scratch: the accesses of a task as its place sees them
};

} // namespace tla::runtime
