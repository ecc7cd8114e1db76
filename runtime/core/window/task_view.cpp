#include "runtime/core/window/packing.hpp"
#include "runtime/core/window/task.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/generated/generated.hpp>
#include <tla/runtime/error.hpp>

namespace tla::runtime {

int TaskView::index(int position) const { return task_.index(position); }

const char *TaskView::argument(int argument) const { return task_.taskClass->arguments[argument]; }

const void *TaskView::rawParameters() const { return task_.parameters; }

/// The version that access number `access` produces, or null. A node that another one stands for (None) counts as
/// written when that one is.
const Version *Task::written(int access) const {
  if (access < 0 || access >= accessCount)
    return nullptr;
  const AccessNode &mine = node(access);
  const Version *const version = mine.version();
  if (mine.kind() == AccessNode::Write)
    return version;
  for (int i = 0; mine.kind() == AccessNode::None && version && i < nodeCount; ++i)
    if (node(i).kind() == AccessNode::Write && node(i).version() == version)
      return version;
  return nullptr;
}

const Version *Task::mainOutput() const {
  const Version *version = written(taskClass->mainOutput);
  for (int access = 0; !version && access < accessCount; ++access)
    version = written(access);
  return version;
}

const Version *Task::matrixOutput() const {
  const Version *version = mainOutput();
  for (int access = 0; access < accessCount && version && version->table->workspace(); ++access)
    if (const Version *other = written(access); other && !other->table->workspace())
      version = other;
  return version && !version->table->workspace() ? version : nullptr;
}

TaskView::Raw TaskView::rawTile(int access) const { return rawOf(*task_.node(access).version()); }

TaskView::Raw TaskView::rawMainTile() const {
  const Version *const version = task_.mainOutput();
  return version ? rawOf(*version) : Raw{nullptr, 0, 0, 1};
}

TaskView::Raw TaskView::rawOf(const Version &version) const {
  const Storage &storage = version.table->storage();
  return {static_cast<char *>(version.data) + displacement_, storage.tileRows(version.row),
          storage.sliceCols(version.column), ldOf(version)};
}

} // namespace tla::runtime
