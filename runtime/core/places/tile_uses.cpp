#include "runtime/core/places/tile_uses.hpp"

#include "runtime/core/window/main_access.hpp"

namespace tla::runtime {

const TileUses::Use *TileUses::begin(List &list, StreamTime now) {
  while (list.passed < list.uses.size() && list.uses[list.passed].time <= now)
    ++list.passed;
  return list.uses.data() + list.passed;
}

StreamTime TileUses::nextUse(const TileRef &tile, int half, int place, StreamTime now) {
  List &uses = list(tile, half);
  for (const Use *use = begin(uses, now), *end = uses.uses.data() + uses.uses.size(); use != end && !use->write; ++use)
    if (use->place == place)
      return use->time;
  return never;
}

StreamTime TileUses::nextUse(const TileRef &tile, int half, StreamTime now) {
  List &uses = list(tile, half);
  const Use *const use = begin(uses, now);
  return use != uses.uses.data() + uses.uses.size() && !use->write ? use->time : never;
}

bool TileUses::lastWritten(const TileRef &tile, int half, StreamTime now) { return list(tile, half).lastWrite <= now; }

TileUses::Recorder::Recorder(TileUses &uses, const NodePlaces &places, const Distribution *distribution, int rank)
    : DryPass(distribution, rank), uses_(uses), places_(places), rule_(places) {
  uses_.largest_.resize(places.count());
}

TileTable &TileUses::Recorder::table(Storage &storage, const char *name, bool workspace, bool regions) {
  TileTable &table = DryPass::table(storage, name, workspace, regions);
  if (static_cast<std::size_t>(table.number()) == uses_.lists_.size())
    uses_.lists_.emplace_back();
  return table;
}

void TileUses::Recorder::append(const TaskCall &call) {
  ++time_;
  const int place = rule_.place(call.taskClass, call.accesses, call.accessCount);
  for (int i = 0; i < call.accessCount; ++i)
    if (const TileAccess &access = call.accesses[i]; reads(access))
      record(access.tile(), place, false);
  for (int i = 0; i < call.accessCount; ++i)
    if (const TileAccess &access = call.accesses[i]; writes(access))
      record(access.tile(), place, true);
  if (place != hostPlace)
    measure(place, call);
}

void TileUses::Recorder::send(const TileRef &tile, int, int) {
  ++time_;
  record(tile, hostPlace, false);
}

void TileUses::Recorder::receive(const TileRef &tile, int, int) {
  ++time_;
  record(tile, hostPlace, true);
}

void TileUses::Recorder::record(const TileRef &tile, int place, bool write) {
  if (!tile.matrix->has(tile.row, tile.column))
    return; // the run will say so
  const auto [first, last] = Halves::of(*tile.matrix, tile.region);
  for (int half = first; half <= last; ++half) {
    List &list = uses_.list(tile, half);
    list.uses.push_back({time_, static_cast<std::uint16_t>(place), write});
    if (write)
      list.lastWrite = time_;
  }
}

void TileUses::Recorder::measure(int place, const TaskCall &call) {
  std::size_t bytes = 0;
  tiles_.clear();
  for (int i = 0; i < call.accessCount; ++i) {
    const TileAccess &access = call.accesses[i];
    if (!access.matrix->has(access.row, access.column))
      continue;
    const void *const tile = &uses_.list(access.tile(), 0);
    if (std::find(tiles_.begin(), tiles_.end(), tile) != tiles_.end())
      continue;
    tiles_.push_back(tile);
    bytes += places_.memory(place).taken(access.matrix->tileBytes(access.row, access.column));
  }
  if (Largest &largest = uses_.largest_[place]; bytes > largest.bytes)
    largest = {bytes, static_cast<int>(tiles_.size()), &call.taskClass};
}

} // namespace tla::runtime
