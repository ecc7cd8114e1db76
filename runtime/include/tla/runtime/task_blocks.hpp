// How the tasks of a program are put in another order than its own.
#pragma once

namespace tla::runtime {

/// The blocks of tiles in whose order tasks are generated: so many rows and columns of blocks, as equal as they can be,
/// of the matrix that most tasks write. Results have the same bits in any order.
struct TaskBlocks {
  int rows = 0, columns = 0; ///< 0: the program's own order; else both are at least 1
  bool bySteps = false;      ///< within a block the n-th updates of all its tiles come before the next ones
  bool isProgramOrder() const { return rows == 0; }
  bool operator==(const TaskBlocks &) const = default;
};

} // namespace tla::runtime
