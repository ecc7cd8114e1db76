// What one node will do with its tiles, and when: what a pass over its stream of tasks, without running them, knows.
#pragma once

#include "runtime/core/places/node_places.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/halves.hpp"

#include <tla/runtime/generator.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace tla::runtime {

/// Tasks, sends and receives of the node in program order, counted from 1.
using StreamTime = std::uint32_t;

/// Belongs to one thread. Matrices are known by their numbers. 8 bytes per access, some 50 per tile that is named.
class TileUses {
public:
  static constexpr StreamTime never = std::numeric_limits<StreamTime>::max();

  /// A sink that records the node's stream.
  class Recorder;

  /// The next time after `now` at which the present content of this half of the tile is used at `place`: before it is
  /// written again. `now` does not fall from call to call.
  StreamTime nextUse(const TileRef &tile, int half, int place, StreamTime now);
  /// The next time after `now` at which the present content of this half of the tile is used at any place, before it is
  /// written again; or `never`.
  StreamTime nextUse(const TileRef &tile, int half, StreamTime now);
  /// Whether nothing is written there after `now`.
  bool lastWritten(const TileRef &tile, int half, StreamTime now);

  /// The task that needs the most memory of its accelerator at one time.
  struct Largest {
    std::size_t bytes = 0; ///< 0: no task runs there
    int tiles = 0;
    const TaskClass *taskClass = nullptr;
  };
  const Largest &largest(int place) const { return largest_[place]; }

private:
  struct Use {
    StreamTime time;
    std::uint16_t place;
    bool write; ///< the content is new from then on
  };
  struct List {
    std::vector<Use> uses;
    std::uint32_t passed = 0; ///< uses that are over
    StreamTime lastWrite = 0;
  };
  List &list(const TileRef &tile, int half) { return lists_[tile.matrix->number()][Halves::index(tile, half)]; }
  /// The list's first use after `now`, or its end.
  const Use *begin(List &list, StreamTime now);

  std::vector<SparseArray<List>> lists_; // by matrix, and by tile and half: those that were asked for
  std::vector<Largest> largest_;         // by place
};

class TileUses::Recorder final : public DryPass {
public:
  /// `distribution`: null on one rank.
  Recorder(TileUses &uses, const NodePlaces &places, const Distribution *distribution, int rank);

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override;
  void append(const TaskCall &call) override;
  void send(const TileRef &tile, int destination, int priority) override;
  void receive(const TileRef &tile, int source, int priority) override;

private:
  void record(const TileRef &tile, int place, bool write);
  void measure(int place, const TaskCall &call);

  TileUses &uses_;
  const NodePlaces &places_;
  PlaceRule rule_;
  StreamTime time_ = 0;
  std::vector<const void *> tiles_; // scratch
};

} // namespace tla::runtime
