#include "runtime/core/window/tile_table.hpp"

#include <tla/generated/dealt.hpp>

namespace tla::runtime {

std::unique_ptr<TaskCursor> dealUpdates(const Storage &storage, const TaskMap *map, int rows, int columns, int steps) {
  static const auto &undealt = *new TaskMap({{.share = 1, .memory = 1}}); // also for calls when the process ends
  if (!map)
    map = &undealt;
  return std::make_unique<TaskCursor>(
      isDealtByRows(storage.n(), storage.mb())
          ? map->rowOrder(rows, columns, steps)
          : map->order(rows, columns, steps, static_cast<double>(storage.mb()) * storage.nb()));
}

void placeUpdates(TileTable &tiles, TileTable &layers, const TaskCursor &cursor) {
  tiles.placeBy(cursor.shared());
  layers.placeBy(cursor.shared(), tiles.storage().mt());
}

} // namespace tla::runtime
