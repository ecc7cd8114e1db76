#include "runtime/core/window/tile_table.hpp"

#include "runtime/core/window/matrix_homes.hpp"

#include <tla/runtime/error.hpp>

#include <new>

namespace tla::runtime {

TileTable::TileTable(Storage &storage, const char *name, bool workspace, bool regions, int number)
    : TileTable(storage, name, workspace, regions, number, makeLists(storage, regions)) {}

/// Generated code takes it that an int holds the sum of two indices of tiles: compiler/codegen/integers.cpp.
void TileTable::requireFewTiles(const Storage &storage) {
  constexpr int most = 1 << 30;
  if (storage.mt() > most || storage.ns() > most)
    throw UsageError("a matrix of " + std::to_string(storage.m()) + " x " + std::to_string(storage.n()) +
                     " in tiles of " + std::to_string(storage.mb()) + " x " + std::to_string(storage.nb()) +
                     " has more than 2^30 in a row or column: take larger ones (--nb)");
}

TileList *TileTable::makeLists(const Storage &storage, bool regions) {
  requireFewTiles(storage);
  // calloc: a large table costs pages only where tasks touch it.
  const std::size_t tiles = static_cast<std::size_t>(storage.mt()) * storage.ns();
  void *lists = std::calloc(tiles * (regions ? 2 : 1) + 1, sizeof(TileList));
  if (!lists)
    throw std::bad_alloc();
  return static_cast<TileList *>(lists);
}

void *TileTable::homeOnAccelerator(int row, int column) const {
  return homes_ && homes_->place(row, column) == place_ ? homes_->memory(row, column) : nullptr;
}

std::string TileTable::tileName(int row, int column) const {
  const int slices = storage_.slices(), slice = (column % slices + slices) % slices; // generated code may be wrong
  return std::string(name_) + "(" + std::to_string(row) + ", " + std::to_string((column - slice) / slices) + ")" +
         (slices > 1 ? " slice " + std::to_string(slice) : "");
}

std::string TileTable::outsideText(int row, int column) const {
  return "tile " + tileName(row, column) + " is outside the " + std::to_string(storage_.mt()) + " x " +
         std::to_string(storage_.nt()) + " tiles of " + name_ +
         (storage_.slices() > 1 ? ", each in " + std::to_string(storage_.slices()) + " slices" : "");
}

void TileTable::addRegions() {
  if (regions_)
    return;
  forEachCurrent([this](Version &) {
    throw Error(std::string("matrix ") + name_ + " was used without regions before a task uses its regions; name " +
                "all matrices before the first task");
  });
  named_.clear();
  if (lists_)
    lists_.reset(makeLists(storage_, true));
  regions_ = true;
}

} // namespace tla::runtime
