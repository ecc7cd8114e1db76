#include "runtime/core/task.hpp"
#include "runtime/core/tile_table.hpp"

namespace tla::runtime {

int TaskView::index(int position) const { return task_.indices[position]; }

const void *TaskView::rawParameters() const { return task_.parameters; }

TaskView::Raw TaskView::rawTile(int access) const {
  const Version &version = *task_.node(access).version();
  const Storage &storage = version.table->storage();
  // The same for renamed tiles: only contiguous ones are renamed.
  return {version.data, storage.tileRows(version.row), storage.tileCols(version.column), storage.ld(version.row)};
}

} // namespace tla::runtime
