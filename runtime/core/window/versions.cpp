#include "runtime/core/window/versions.hpp"

#include "runtime/core/window/halves.hpp"

#include <new>

namespace tla::runtime {

/// Whether Backlog counts the tile: one of the host's that has memory only while its content is in use.
static bool isCounted(const TileTable &table, int row, int column) {
  return !table.place() && !table.home(row, column);
}

bool Versions::start(const TileAccess &access) {
  TileTable &table = *access.matrix;
  if (table.regions() && (!listOf(access, 0) || !listOf(access, 1))) // before the tile has memory
    return false;
  void *data = table.home(access.row, access.column);
  if (!table.stores(access.row, access.column) || (!data && !table.temporary(access.row, access.column)))
    return task_.failAccess(
        access, table.storage().hasPattern() ? "the matrix' pattern does not have" : "the matrix does not store",
        /*outside=*/true);
  // The halves of a tile share its memory from the start; otherwise the first producer allocates it when it runs.
  const bool shared = !data && table.regions();
  if (shared && !(data = buffers_.allocateShared(table, access.row, access.column)))
    return task_.failAccess(access, "out of memory for");
  if (isCounted(table, access.row, access.column))
    buffers_.backlog.open(TileBuffers::takenBytes(table, access.row, access.column));
  for (int half = 0; half <= int(table.regions()); ++half) {
    TileList &list = table.list(access.row, access.column, half);
    Version *version = make(access, list.number, 0);
    if (!version) {
      if (shared)
        buffers_.leaveShared(table, access.row, access.column, data, 2 - half);
      return false;
    }
    version->data = data;
    version->pooled = version->shared = shared;
    const bool hasContent = table.hasContentAtHome(access.row, access.column, half);
    list = {version, 0, list.number, hasContent, !hasContent};
  }
  return true;
}

Version *Versions::make(const TileAccess &access, int number, std::uint64_t producer) {
  Version *version = nullptr;
  try {
    version = window_.takeVersion([this](Version &idle) { return forget(idle); });
  } catch (const std::bad_alloc &) {
    task_.failAccess(access, "out of memory for a version of");
    return nullptr;
  }
  version->waiters.store(producer ? nullptr : Version::closed(), std::memory_order_relaxed);
  version->visits.store(0, std::memory_order_relaxed);
  version->number = number;
  version->nextWriter = nullptr;
  version->data = nullptr;
  version->table = access.matrix;
  version->producer = producer;
  version->row = access.row;
  version->column = access.column;
  version->pooled = version->renamed = version->shared = version->guarded = false;
  return version;
}

/// A version that only says where the tile's content is, and that is at home: the next access to the tile will start
/// its list again.
bool Versions::forget(Version &version) {
  TileTable &table = *version.table;
  if (table.regions())
    return false;
  TileList &list = table.list(version.row, version.column);
  // Only the current version's fields may be read: those of others change under the workers' hands. Acquire: as in
  // appendWrite(), the next task on the tile must see what the visitors did.
  if (list.current != &version || version.visits.load(std::memory_order_acquire) != -list.expected ||
      version.data != table.home(version.row, version.column) || !version.data)
    return false;
  list.current = nullptr;
  return true;
}

bool Versions::close(TileList &list, AccessNode *writer) {
  Version &version = *list.current;
  version.nextWriter = writer;
  if (version.visits.fetch_add(list.expected, std::memory_order_acq_rel) != -list.expected)
    return false;
  if (writer)
    TileBuffers::pass(version, *writer->version());
  else
    buffers_.discard(version);
  window_.giveBack(version);
  return true;
}

void Versions::release(const TileRef &tile) {
  TileTable &table = *tile.matrix;
  if (!table.temporary(tile.row, tile.column))
    return endContent(tile);
  if (table.regions())
    return releaseHalves(tile);
  if (TileList &list = table.list(tile.row, tile.column); list.current) {
    drop(list);
    closeCounted(tile);
  }
}

/// Ends the content of a workspace that lasts over the parts of a run, whose memory stays. A caller's matrix keeps what
/// it has.
void Versions::endContent(const TileRef &tile) {
  TileTable &table = *tile.matrix;
  if (!table.isHeld())
    return;
  const auto [first, last] = Halves::of(table, tile.region);
  for (int half = first; half <= last; ++half) {
    table.list(tile.row, tile.column, half).released = true;
    table.noteRelease(tile.row, tile.column, half);
  }
}

void Versions::closeCounted(const TileRef &tile) {
  if (isCounted(*tile.matrix, tile.row, tile.column))
    buffers_.backlog.close(TileBuffers::takenBytes(*tile.matrix, tile.row, tile.column));
}

/// The halves share memory, so a half stays, and orders what comes after it, until nobody needs the other either. A
/// half that nobody has used yet counts as released: start() says so.
void Versions::releaseHalves(const TileRef &tile) {
  TileList &lower = tile.matrix->list(tile.row, tile.column, 0), &upper = tile.matrix->list(tile.row, tile.column, 1);
  lower.released |= tile.region != Region::Upper;
  upper.released |= tile.region != Region::Lower;
  if (!lower.current || !lower.released || !upper.released)
    return;
  drop(lower);
  drop(upper);
  closeCounted(tile);
}

/// Nobody will append to the list's content any more; the next access begins anew.
void Versions::drop(TileList &list) {
  close(list, nullptr);
  list.current = nullptr;
  list.released = false;
}

} // namespace tla::runtime
