// What accesses do to the content of tiles, and the one that says where a task runs and what reports call it.
#pragma once

#include <tla/runtime/task.hpp>

#include <algorithm>

namespace tla::runtime {

/// The task needs the content that the tile, or its half, had before. A part of a tile that is written, as a view,
/// leaves the rest as it was, so it is a ReadWrite. Whoever moves content, and whoever checks that there is some, asks
/// here; the proof counts by the same rule (hetc::dependence::reads).
inline bool reads(const TileAccess &access) { return access.access != Access::Write; }
inline bool writes(const TileAccess &access) { return access.access != Access::Read; }

/// The access of number TaskClass::mainOutput if it writes, else the first that does. Null: none writes.
inline const TileAccess *mainAccess(const TaskClass &taskClass, const TileAccess *accesses, int accessCount) {
  const int main = taskClass.mainOutput;
  if (main >= 0 && main < accessCount && writes(accesses[main]))
    return accesses + main;
  const TileAccess *const end = accesses + accessCount, *const first = std::find_if(accesses, end, writes);
  return first == end ? nullptr : first;
}

} // namespace tla::runtime
