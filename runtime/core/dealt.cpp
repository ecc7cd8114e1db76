#include "runtime/core/tile_table.hpp"

#include <tla/runtime/dealt.hpp>

namespace tla::runtime {

std::unique_ptr<TaskCursor> dealUpdates(const Storage &storage, int rows, int columns, int steps) {
  static const TaskMap undealt({{.share = 1, .memory = 1}});
  const TaskMap &map = storage.taskMap() ? *storage.taskMap() : undealt;
  constexpr long few = 8; // vectors, of which a tile has much fewer than rows
  const bool isVector = few * storage.n() <= storage.mb();
  return std::make_unique<TaskCursor>(
      isVector ? map.rowOrder(rows, columns, steps)
               : map.order(rows, columns, steps, static_cast<double>(storage.mb()) * storage.nb()));
}

void placeUpdates(TileTable &tiles, TileTable &layers, const TaskCursor &cursor) {
  if (!tiles.storage().taskMap())
    return;
  tiles.placeBy(cursor.shared());
  layers.placeBy(cursor.shared(), tiles.storage().mt());
}

} // namespace tla::runtime
