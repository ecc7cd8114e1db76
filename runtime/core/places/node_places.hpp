// The places of one node: the host (0) and its accelerators (1, 2, ...), as far as decisions need to know them.
#pragma once

#include "runtime/core/window/task.hpp"
#include "runtime/distribution/device_columns.hpp"

#include <tla/runtime/task.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

class Homes;

/// A set of places is a bit mask.
using PlaceSet = std::uint64_t;
inline constexpr int maxPlaces = 63;
constexpr PlaceSet only(int place) { return PlaceSet(1) << place; }

struct NodePlaces {
  struct Memory {
    std::string name; ///< name of the accelerator, for messages
    std::size_t bytes, granularity;
    std::function<bool(const TaskClass &)> runs = {}; ///< whether a task is worth running there; null: isWorthByRule()
    std::function<bool(const TaskClass &)> has = {};  ///< whether there is a body for a task's kernel; null: for all
    bool peers = true;                                ///< whether the memory of others that have peers can be read, too

    /// The bytes that an allocation of this size takes.
    std::size_t taken(std::size_t size) const {
      return ((size ? size : 1) + granularity - 1) / granularity * granularity;
    }
  };
  DeviceColumns columns;
  DeviceColumns wideColumns;        ///< columns of cut tiles, whose last slices are all the accelerators'
  std::vector<Memory> accelerators; ///< memory of each accelerator, at index place - 1
  /// Whether the accelerator has a body for a task's kernel.
  std::function<bool(int place, const TaskClass &)> has;
  /// Whether an accelerator reads another's memory; else the way is by the host.
  std::function<bool(int from, int to)> reaches;
  Homes *homes = nullptr; ///< homes of resident matrices; borrowed. Null: there are none

  /// With bodies and ways as the accelerators' descriptions say. `weights` by accelerator, empty: equal ones;
  /// `hostWeight` is the host's, of whole tiles. `gridRows`: of a grid of accelerators. Throws UsageError for weights,
  /// or a grid, that do not fit.
  NodePlaces(std::vector<Memory> accelerators, const std::vector<int> &weights, int hostWeight,
             const Distribution &distribution, int node, int gridRows = 1);

  int count() const { return 1 + static_cast<int>(accelerators.size()); }
  const Memory &memory(int place) const { return accelerators[place - 1]; }
};

/// Whether a task of the class is worth running on an accelerator of which no rates are known: all are but panels and
/// those bound by memory.
bool isWorthByRule(const TaskClass &taskClass);

/// Where the tasks of a node run.
///
/// At the place of their main output's tile (DeviceColumns: by its column, or on a grid by its row, too); of a cut tile
/// this is an accelerator, the place of the last, wide slice, and the others are the host's ([Song12] 3.1, Figure 4).
/// But on the host if the accelerator there has no body for the kernel. Where the accelerator does not say better, also
/// if the task is bound by memory: it takes longer to bring the tiles than to compute; and if it factors a tile or a
/// panel: many small steps, one after the other, on which a core is as fast as an accelerator, and which the host can
/// do meanwhile ([Dongarra14] 6.2).
///
/// Of a matrix whose updates are dealt by a task map (TileTable::placeOf) at the place of the tile's part, in place of
/// the column's; on the host as above.
///
/// The clause device(host) keeps a task on the host. device(gpu) sends it to an accelerator that has a body for its
/// kernel, worth it or not: that of the column or, where this or the slice is the host's, of the next column. A user's
/// own kernel, and what gathers slices or transposes tiles, has a body on the host only.
class PlaceRule {
public:
  explicit PlaceRule(const NodePlaces &places) : places_(places) {}
  int place(const TaskClass &taskClass, const TileAccess *accesses, int accessCount);

private:
  /// Whether a task of the class is worth running at an accelerator.
  bool isWorth(int place, const TaskClass &taskClass) const;
  /// The places that may run a task of the class.
  PlaceSet allowed(const TaskClass &taskClass);
  PlaceSet chooseAllowed(const TaskClass &taskClass) const;

  const NodePlaces &places_;
  std::unordered_map<const TaskClass *, PlaceSet> allowed_;
};

} // namespace tla::runtime
