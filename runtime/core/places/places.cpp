#include "runtime/core/places/places.hpp"

#include "runtime/core/places/homes.hpp"
#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/packing.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <bit>
#include <climits>

namespace tla::runtime {
namespace {

Residency::Tile tileOf(const TileAccess &access) { return {access.matrix->number(), access.row, access.column}; }
Residency::Tile tileOf(const TileRef &tile) { return {tile.matrix->number(), tile.row, tile.column}; }

/// Calls visit(place) for each.
template <typename Visit> void forEachPlace(PlaceSet places, Visit &&visit) {
  for (; places; places &= places - 1)
    visit(std::countr_zero(places));
}

/// `resident`: what tiles take that are at home there.
void requireMemory(const NodePlaces::Memory &memory, std::size_t resident, const TileUses::Largest &largest) {
  if (largest.bytes > memory.bytes - std::min(resident, memory.bytes))
    throw UsageError("the memory of " + memory.name + ", " + std::to_string(memory.bytes) + " bytes" +
                     (resident ? ", of which resident matrices have " + std::to_string(resident) : "") +
                     ", is less than one task needs: " + largest.taskClass->kernel + " at " +
                     largest.taskClass->location + " takes " + std::to_string(largest.bytes) + " bytes in " +
                     std::to_string(largest.tiles) + " tiles");
}

/// The bytes that tiles may take at one point of the program. The rest of the memory is for those on the way: a tile
/// that was evicted takes its memory until its last task is complete and it has been copied out, and the tile that gets
/// the room cannot be copied in before. Without a rest every copy would wait for another one; measured in virtual time,
/// Cholesky of n = 100,000 in 20 GB of an H200: 0.66 of the rate of gemm without, 0.92 with a sixteenth, 0.93 with a
/// fifth, which copies a third more.
std::size_t bytesOfTiles(std::size_t memory, const TileUses::Largest &largest) {
  constexpr std::size_t partOnTheWay = 16;
  return std::max(largest.bytes, memory - memory / partOnTheWay);
}

} // namespace

// An example, on a node with accelerators 1 and 2 (places; the host is 0). Tile A(1, 0) of the caller's matrix, not cut
// by halves, has three tasks: at time 1 trsm(.., A(1, 0)) at place 1, at 2 a gemm at place 2 that reads it, and at 3
// one at place 1. `holders` and `producer` are those of its one half, the next uses those of its present content:
//
//   call                         does                                      holders    producer  next use at 1, at 2
//   (before the run)                                                       {0}        0         1      never
//   append trsm: bring           copy 0 -> 1                               {0, 1}     0
//                produce         what the host has is of no use now        {1}        1         3      2
//                bringHome       it is the last version: copy 1 -> 0       {0, 1}     1
//                dropUnneeded    1 will use it: stays                      {0, 1}     1
//   append gemm at 2: bring      copy 1 -> 2, from where it was made       {0, 1, 2}  1         3      never
//                dropUnneeded    2 has no use to come, and others have it  {0, 1}     1
//   append gemm at 1: bring      nothing, it is there                      {0, 1}     1         never  never
//                dropUnneeded    1 has no use to come                      {0}        1
//
// Were that version written again later, by a task after these, bringHome would copy nothing: then 1 has to keep it for
// 2 even without a use of its own, which is needed()'s second reason.
Places::Places(const NodePlaces &places, TileUses &uses, PlacedSink &sink)
    : places_(places), uses_(uses), sink_(sink), rule_(places), evictionCopies_(places.count() - 1) {
  for (int place = 1; place < places.count(); ++place) {
    const NodePlaces::Memory &memory = places.memory(place);
    const std::size_t resident = places.homes ? places.homes->bytes(places, place) : 0;
    requireMemory(memory, resident, uses.largest(place));
    residencies_.emplace_back(bytesOfTiles(memory.bytes - std::min(resident, memory.bytes), uses.largest(place)));
  }
}

TileTable &Places::table(Storage &storage, const char *name, bool workspace, bool regions) {
  TileTable &host = sink_.table(storage, name, workspace, regions);
  if (static_cast<std::size_t>(host.number()) < matrices_.size())
    return host;
  Matrix &matrix = matrices_.emplace_back();
  matrix.tables.push_back(&host);
  for (int place = 1; place < places_.count(); ++place)
    matrix.tables.push_back(&sink_.replica(host, place));
  matrix.homes = places_.homes && !workspace ? places_.homes->find(storage) : nullptr;
  for (int column = 0; column < storage.ns() && matrix.homes; ++column)
    for (int row = 0; row < storage.mt(); ++row)
      for (int number = 0; number < 2 && !host.foreign(row, column); ++number) {
        const int place = home({host.number(), row, column});
        const bool isAlsoWithHost = !matrix.homes->isChanged(row, column);
        matrix.halves[Halves::index({&host, row, column}, number)] = {
            only(place) | (isAlsoWithHost ? only(hostPlace) : 0), only(place), place};
      }
  return host;
}

/// The place where a tile of this node, no workspace's, is at home.
int Places::home(const Tile &tile) const {
  const MatrixHomes *const homes = matrices_[tile.matrix].homes;
  return homes ? homes->place(tile.row, tile.column) : hostPlace;
}

/// Resident matrices have entries for their own tiles from the start, as `isChanged` is of before the run.
Places::Half &Places::half(const Tile &tile, int number) {
  Half &half = matrices_[tile.matrix].halves[Halves::index(refAt(tile, hostPlace), number)];
  if (half.producer == unknown) [[unlikely]] {
    const TileTable &host = tableAt(tile, hostPlace);
    const bool hasContent = !host.workspace() && !host.foreign(tile.row, tile.column);
    half = {hasContent ? only(hostPlace) : 0, 0, hostPlace};
  }
  return half;
}

/// Who has content of the tile.
PlaceSet Places::holders(const Tile &tile) {
  PlaceSet all = half(tile, 0).holders;
  if (tableAt(tile, hostPlace).regions())
    all |= half(tile, 1).holders;
  return all;
}

void Places::append(const TaskCall &call) {
  if (stopped())
    return;
  ++time_;
  const int place = rule_.place(call.taskClass, call.accesses, call.accessCount);
  if (place != hostPlace)
    makeRoom(place, call);
  moved_.assign(call.accesses, call.accesses + call.accessCount);
  for (TileAccess &access : moved_) {
    if (reads(access) && exists(access))
      bring(tileOf(access), access.region, place, call.priority);
    access.matrix = matrices_[access.matrix->number()].tables[place];
  }
  TaskCall moved = call;
  moved.accesses = moved_.data();
  sink_.appendAt(place, moved);
  for (int i = 0; i < call.accessCount; ++i)
    if (writes(call.accesses[i]) && exists(call.accesses[i]))
      produce(tileOf(call.accesses[i]), call.accesses[i].region, place);
  for (int i = 0; i < call.accessCount; ++i)
    if (writes(call.accesses[i]) && exists(call.accesses[i]))
      bringHome(tileOf(call.accesses[i]), call.accesses[i].region);
  for (int i = 0; i < call.accessCount; ++i)
    if (exists(call.accesses[i]))
      dropUnneeded(tileOf(call.accesses[i]), place);
}

void Places::send(const TileRef &tile, int destination, int priority) {
  if (stopped())
    return;
  ++time_;
  bring(tileOf(tile), tile.region, hostPlace, INT_MAX); // as urgent as the message
  sink_.send(tile, destination, priority);
  dropUnneeded(tileOf(tile), hostPlace);
}

void Places::receive(const TileRef &tile, int source, int priority) {
  if (stopped())
    return;
  ++time_;
  sink_.receive(tile, source, priority);
  produce(tileOf(tile), tile.region, hostPlace);
  bringHome(tileOf(tile), tile.region); // another node has written a tile of this one
  dropUnneeded(tileOf(tile), hostPlace);
}

/// A caller's matrix keeps its own tiles, and of another node's tile only the host's copy is meant: accelerators' go by
/// their own last uses. So do those of a workspace where the program is right; where it reads the tile once more nobody
/// has content of it.
void Places::release(const TileRef &tile) {
  sink_.release(tile);
  const TileTable &matrix = *tile.matrix;
  if (!matrix.has(tile.row, tile.column))
    return;
  const bool isWorkspace = matrix.workspace() || matrix.isHeld();
  if (!isWorkspace && !matrix.foreign(tile.row, tile.column))
    return;
  const PlaceSet gone = isWorkspace ? ~PlaceSet(0) : only(hostPlace), before = holders(tileOf(tile));
  const auto [first, last] = Halves::of(matrix, tile.region);
  for (int number = first; number <= last; ++number) {
    Half &content = half(tileOf(tile), number);
    forEachPlace(content.holders & gone & ~only(hostPlace),
                 [&](int place) { sink_.release(refAt(tileOf(tile), place, Halves::region(matrix, number))); });
    content.holders &= ~gone;
  }
  forEachPlace(before & gone & ~holders(tileOf(tile)) & ~only(hostPlace),
               [&](int place) { drop(tileOf(tile), place); });
}

/// The tiles of the task have memory at the place. While room is made for some none of the others may go: their next
/// use is now.
void Places::makeRoom(int place, const TaskCall &call) {
  Residency &here = residency(place);
  for (int i = 0; i < call.accessCount; ++i)
    if (const Tile tile = tileOf(call.accesses[i]); here.holds(tile))
      here.expect(tile, time_);
  for (int i = 0; i < call.accessCount; ++i) {
    const Tile tile = tileOf(call.accesses[i]);
    if (here.holds(tile) || !exists(call.accesses[i]) || home(tile) == place)
      continue;
    const std::size_t bytes = places_.memory(place).taken(call.accesses[i].matrix->tileBytes(tile.row, tile.column));
    while (!here.fits(bytes))
      evict(place, Tile(here.furthest()));
    here.add(tile, bytes, time_);
    sink_.reserve(place, bytes);
  }
}

/// Evicts a tile from a place; content that is nowhere else and has a use to come goes to the host first.
void Places::evict(int place, const Tile &tile) {
  const TileTable &table = tableAt(tile, hostPlace);
  for (int number = 0; number <= int(table.regions()); ++number)
    if (half(tile, number).holders == only(place) &&
        uses_.nextUse(refAt(tile, hostPlace), number, time_) != TileUses::never) {
      isEvicting_ = true;
      bring(tile, Halves::region(table, number), hostPlace, 0);
      isEvicting_ = false;
    }
  drop(tile, place);
}

/// The place gets what it lacks of this part of the tile.
void Places::bring(const Tile &tile, Region region, int place, int priority) {
  const TileTable &table = tableAt(tile, hostPlace);
  const auto [first, last] = Halves::of(table, region);
  int from[2] = {place, place};
  for (int number = first; number <= last; ++number)
    from[number] = source(half(tile, number), place);
  if (first < last && from[0] == from[1] && from[0] != place)
    return copy(tile, Region::Full, from[0], place, priority);
  for (int number = first; number <= last; ++number)
    if (from[number] != place)
      copy(tile, Halves::region(table, number), from[number], place, priority);
}

/// Where the place gets the content from: from where it was made; `place` itself when it has it, or nobody does.
int Places::source(const Half &half, int place) const {
  if (!half.holders || half.holders & only(place))
    return place;
  if (half.holders & only(half.producer))
    return half.producer;
  return half.holders & only(hostPlace) ? hostPlace : std::countr_zero(half.holders);
}

void Places::copy(const Tile &tile, Region region, int from, int to, int priority) {
  if (from != hostPlace && to != hostPlace && !places_.reaches(from, to)) {
    bring(tile, region, hostPlace, priority);
    from = hostPlace;
  }
  sink_.copy(refAt(tile, from, region), tableAt(tile, to), priority);
  const auto [first, last] = Halves::of(tableAt(tile, hostPlace), region);
  bool comesAgain = false;
  for (int number = first; number <= last; ++number) {
    Half &content = half(tile, number);
    comesAgain |= (content.visited & only(to)) != 0;
    content.holders |= only(to);
    content.visited |= only(to);
  }
  if (isEvicting_ || (comesAgain && to != hostPlace))
    noteEvictionCopy(from, to, packedBytes(refAt(tile, from, region)));
}

void Places::noteEvictionCopy(int from, int to, std::size_t bytes) {
  CopyCounts &counts = to != hostPlace ? evictionCopies_[to - 1].in : evictionCopies_[from - 1].out;
  ++counts.copies;
  counts.bytes += bytes;
}

/// `place` has written the region: it is the only holder of a new version of each half. Other accelerators give up the
/// tile's memory unless they hold the half that was not written. The host gives up its copy of another node's tile, or
/// of a workspace's; the sink's release() leaves the caller's tiles alone.
void Places::produce(const Tile &tile, Region region, int place) {
  TileTable &host = tableAt(tile, hostPlace);
  if (MatrixHomes *const homes = matrices_[tile.matrix].homes)
    homes->setChanged(tile.row, tile.column, true);
  const PlaceSet before = holders(tile);
  const auto [first, last] = Halves::of(host, region);
  for (int number = first; number <= last; ++number) {
    Half &content = half(tile, number);
    if (place != hostPlace && content.holders & only(hostPlace))
      sink_.release(refAt(tile, hostPlace, Halves::region(host, number)));
    content = {only(place), only(place), place};
  }
  forEachPlace(before & ~holders(tile) & ~only(hostPlace), [&](int other) { drop(tile, other); });
}

/// Directly behind the writer of a last version: its home gets it if it has one, as a tile of the caller's matrix that
/// this node owns.
void Places::bringHome(const Tile &tile, Region region) {
  const TileTable &host = tableAt(tile, hostPlace);
  if (host.workspace() || host.foreign(tile.row, tile.column))
    return;
  const int place = home(tile);
  const auto [first, last] = Halves::of(host, region);
  const auto isLast = [&](int number) { return uses_.lastWritten(refAt(tile, hostPlace), number, time_); };
  if (first < last && isLast(0) && isLast(1))
    return bring(tile, Region::Full, place, 0);
  for (int number = first; number <= last; ++number)
    if (isLast(number))
      bring(tile, Halves::region(host, number), place, 0);
}

/// After a task, send or receive has used the tile at `user`: of the accelerators that have it, those where it is not
/// needed() give it up, and for the others the time of their next use is noted, by which evict() chooses. `user` counts
/// though it may hold no content: makeRoom() has given it memory.
void Places::dropUnneeded(const Tile &tile, int user) {
  forEachPlace((holders(tile) | only(user)) & ~only(hostPlace), [&](int place) {
    if (!residency(place).holds(tile)) // a task named it twice, or it is at home there
      return;
    if (needed(tile, place))
      residency(place).expect(tile, nextUse(tile, place));
    else
      drop(tile, place);
  });
}

/// When the place next uses any half that it holds, before that half is written again.
StreamTime Places::nextUse(const Tile &tile, int place) {
  const TileTable &table = tableAt(tile, hostPlace);
  StreamTime next = TileUses::never;
  for (int number = 0; number <= int(table.regions()); ++number)
    if (half(tile, number).holders & only(place))
      next = std::min(next, uses_.nextUse(refAt(tile, hostPlace), number, place, time_));
  return next;
}

/// Whether an accelerator has to keep the tile, for one of two reasons: it will use a half that it holds (before that
/// is written again), or it is the only holder of a half that somebody will use, at whatever place. A version that is
/// nobody's to read any more is not needed, even where it is the only copy: the last ones are home by now.
bool Places::needed(const Tile &tile, int place) {
  const TileTable &table = tableAt(tile, hostPlace);
  for (int number = 0; number <= int(table.regions()); ++number) {
    const PlaceSet holders = half(tile, number).holders;
    if (holders == only(place) && uses_.nextUse(refAt(tile, hostPlace), number, time_) != TileUses::never)
      return true;
  }
  return nextUse(tile, place) != TileUses::never;
}

/// The accelerator's copy goes when the tasks before this point are done with it. At its home a tile keeps its memory.
void Places::drop(const Tile &tile, int place) {
  const TileTable &table = tableAt(tile, hostPlace);
  for (int number = 0; number <= int(table.regions()); ++number)
    half(tile, number).holders &= ~only(place);
  if (home(tile) == place)
    return;
  residency(place).remove(tile);
  sink_.release(refAt(tile, place));
}

} // namespace tla::runtime
