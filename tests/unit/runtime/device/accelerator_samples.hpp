// What the tests of accelerators have in common.
#pragma once

#include "runtime/core/window/task.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/device/accelerator.hpp"

#include <numeric>
#include <vector>

namespace tla::test {

using namespace tla::runtime;

/// Waits for that many operations.
inline std::vector<Finished> collect(Accelerator &accelerator, int count) {
  std::vector<Finished> all;
  while (static_cast<int>(all.size()) < count) {
    Finished list[3];
    const int got = accelerator.finished(list, 3);
    all.insert(all.end(), list, list + got);
    if (!got)
      accelerator.wait(1'000'000'000);
  }
  return all;
}

inline void *token(int number) { return reinterpret_cast<void *>(static_cast<std::intptr_t>(number)); }
inline int numberOf(const Finished &end) { return static_cast<int>(reinterpret_cast<std::intptr_t>(end.token)); }

/// A tile of doubles on the host, packed.
struct HostTile {
  HostTile(int rows, int columns, double first = 0) : rows(rows), columns(columns), elements(rows * columns) {
    std::iota(elements.begin(), elements.end(), first);
  }
  TileCopy to(void *device, Region region = Region::Full) const {
    return {elements.data(), rows, device, rows, rows, columns, sizeof(double), region};
  }
  TileCopy from(void *device, Region region = Region::Full) {
    return {device, rows, elements.data(), rows, rows, columns, sizeof(double), region};
  }
  int rows, columns;
  std::vector<double> elements;
};

/// A task that reads and writes one tile of doubles in the accelerator's memory.
class OneTileTask {
public:
  OneTileTask(const TaskClass &taskClass, void *data, int n)
      : storage_(n, n, n, n, sizeof(double), Shape::General), table_(storage_, "A", true, false) {
    version_.data = data;
    version_.table = &table_;
    version_.row = version_.column = 0;
    task_.self = &task_;
    task_.taskClass = &taskClass;
    task_.parameters = nullptr;
    task_.accessCount = task_.nodeCount = 1;
    task_.node(0).set(&version_, AccessNode::Write);
  }
  const Task &task() const { return task_; }

private:
  Storage storage_;
  TileTable table_;
  Version version_{};
  Task task_{};
};

} // namespace tla::test
