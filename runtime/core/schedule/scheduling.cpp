#include "runtime/core/schedule/scheduling.hpp"

#include <climits>

namespace tla::runtime {

PriorityThenColumn::PriorityThenColumn(int workers)
    : workers_(workers), affinities_(std::min(workers, 1 << CHAR_BIT)) {}

} // namespace tla::runtime
