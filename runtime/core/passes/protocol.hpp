// The task-assignment protocol ([Song12] section 6): which instances a sequential program's tasks have on which node,
// from the distribution alone.
#pragma once

#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/generator.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace tla::runtime {

/// Receives all instances in program order.
class InstanceListener {
public:
  /// The content of a tile (of a part of it) goes from one node to another: [Song12]'s inter-node alien input (rule 4),
  /// source and sink minor output (rules 6 and 8).
  /// `priority`: of the task that needs it there, or leastPriority.
  virtual void transfer(const TileRef &tile, int source, int destination, int priority) = 0;
  /// The owner instance (rule 1), with its native inputs and outputs (rules 2 and 5).
  virtual void task(int node, const TaskCall &call) = 0;

protected:
  ~InstanceListener() = default;
};

/// The rules by which tasks have nodes, and versions travel between them.
///
/// A task runs on the node that owns its main output (TaskClass::mainOutput). A version of a tile is produced where its
/// writer runs, and goes from there straight to the nodes whose tasks read it, to each once, at the place in program
/// order of the first such task. [Song12] sends a minor output home first and lets readers ask there: one message more
/// whenever the next reader is neither at home nor the producer, as in the chains of tile QR.
/// The last version of each tile of a caller's matrix goes home directly after its writer, unless it was made there.
///
/// Tiles of a matrix with regions have two halves, which travel alone; both together when the same task wrote both and
/// neither has arrived before.
class Protocol {
public:
  explicit Protocol(const Distribution &distribution);

  /// Pass 1 over the program: who writes what last. A sink for the program's tasks.
  class LastWrites;
  /// Pass 2: the instances.
  class Instances;

private:
  friend class Instances;
  friend class LastWrites;
  const Distribution &distribution_;
  std::vector<std::vector<std::uint64_t>> lastWriters_; // by matrix, tile and half: sequence numbers
};

class Protocol::LastWrites final : public DryPass {
public:
  explicit LastWrites(Protocol &protocol) : DryPass(&protocol.distribution_), protocol_(protocol) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override;
  void append(const TaskCall &call) override;

private:
  Protocol &protocol_;
  std::uint64_t sequence_ = 0;
};

/// Feeds on tasks and tells the listener of their instances.
class Protocol::Instances {
public:
  Instances(const Protocol &protocol, InstanceListener &listener) : protocol_(protocol), listener_(listener) {}
  /// Every matrix before the first task that names it, in the order of its number.
  void add(const TileTable &table);
  void append(const TaskCall &call);

private:
  /// Who made the present version of one half of a tile; tiles without regions have one half.
  struct State {
    int producer = -1;        ///< node; -1: the content before the first write, at home
    std::uint64_t writer = 0; ///< sequence number
  };
  struct Matrix {
    const TileTable *table;
    std::vector<State> states;
    std::vector<std::uint64_t> holders; ///< for each state a set of nodes that got the version
  };

  std::size_t index(const TileAccess &access, int half) const {
    return 2 * (access.row + static_cast<std::size_t>(access.column) * access.matrix->storage().mt()) + half;
  }
  State &state(const TileAccess &access, int half) {
    return matrices_[access.matrix->number()].states[index(access, half)];
  }
  int producer(const TileAccess &access, int half);
  std::uint64_t *holders(const TileAccess &access, int half);
  bool lacks(const TileAccess &access, int half, int node);
  bool sameVersion(const TileAccess &access);
  void bring(const TileAccess &access, int node, int priority);
  void transfer(const TileAccess &access, Region region, int node, int priority);
  void produce(const TileAccess &access, int node);
  bool isLast(const TileAccess &access, int half);
  void bringHome(const TileAccess &access);

  const Protocol &protocol_;
  InstanceListener &listener_;
  std::vector<Matrix> matrices_;
  std::uint64_t sequence_ = 0;
};

/// The node of a task: the owner of its main output, or of the first tile it writes, or names.
int nodeOf(const TaskClass &taskClass, const TileAccess *accesses, int accessCount);

} // namespace tla::runtime
