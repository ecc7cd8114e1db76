// The access that says where a task runs and what reports call it.
#pragma once

#include <tla/runtime/task.hpp>

#include <algorithm>

namespace tla::runtime {

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
