#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/dealt.hpp>

namespace tla::runtime {

std::unique_ptr<TaskCursor> dealUpdates(const Storage &storage, int rows, int columns, int steps) {
  static const auto &undealt = *new TaskMap({{.share = 1, .memory = 1}}); // also for calls when the process ends
  const TaskMap &map = storage.taskMap() ? *storage.taskMap() : undealt;
  return std::make_unique<TaskCursor>(
      isDealtByRows(storage.n(), storage.mb())
          ? map.rowOrder(rows, columns, steps)
          : map.order(rows, columns, steps, static_cast<double>(storage.mb()) * storage.nb()));
}

void placeUpdates(TileTable &tiles, TileTable &layers, const TaskCursor &cursor) {
  if (!tiles.storage().taskMap())
    return;
  tiles.placeBy(cursor.shared());
  layers.placeBy(cursor.shared(), tiles.storage().mt());
}

} // namespace tla::runtime
