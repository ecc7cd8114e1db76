// The longest path through a task graph that nobody stores: each tile remembers how long the paths to it are.
#pragma once

#include "runtime/core/window/halves.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Reads wait for the last writer, writes for the readers since, as in simulation.hpp's graph.
class LongestPath {
public:
  /// One more task. The tiles must exist.
  void append(double flops, const TileAccess *accesses, int accessCount) {
    Length end;
    forEachHalf(accesses, accessCount, [&](const History &tile, Access access) {
      end.extendTo(tile.written);
      if (access != Access::Read)
        end.extendTo(tile.read);
    });
    end.tasks += 1;
    end.flops += flops;
    forEachHalf(accesses, accessCount, [&](History &tile, Access access) {
      (access == Access::Read ? tile.read : tile.written).extendTo(end);
    });
    longest_.extendTo(end);
  }
  std::uint64_t tasks() const { return longest_.tasks; }
  double flops() const { return longest_.flops; }

private:
  /// The lengths of two paths to one point: of the one with most tasks, and of the one with most flops.
  struct Length {
    std::uint64_t tasks = 0;
    double flops = 0;
    void extendTo(const Length &other) {
      tasks = std::max(tasks, other.tasks);
      flops = std::max(flops, other.flops);
    }
  };
  /// Paths that end at the last write of a half, and at a read since.
  struct History {
    Length written, read;
  };

  template <typename Visit> void forEachHalf(const TileAccess *accesses, int count, Visit &&visit) {
    for (int i = 0; i < count; ++i) {
      const TileAccess &access = accesses[i];
      History *const tile = history(access);
      if (!access.matrix->regions() || access.region != Region::Upper)
        visit(tile[0], access.access);
      if (access.matrix->regions() && access.region != Region::Lower)
        visit(tile[1], access.access);
    }
  }
  History *history(const TileAccess &access) {
    const std::size_t matrix = access.matrix->number();
    if (tiles_.size() <= matrix)
      tiles_.resize(matrix + 1);
    if (tiles_[matrix].empty())
      tiles_[matrix].resize(Halves::count(*access.matrix));
    return &tiles_[matrix][Halves::index(access.tile(), 0)];
  }

  std::vector<std::vector<History>> tiles_; // by matrix, tile and half
  Length longest_;
};

} // namespace tla::runtime
