// The tasks of tests of broadcasts: order matters to their results.
#pragma once

#include <tla/runtime/task.hpp>

#include <stdexcept>

namespace tla::test {
using namespace tla::runtime;

inline constexpr int nb = 3;

enum What { Begin, Add, Throw };

/// Makes 3 x + 1 of a tile, adds another one to it, or throws: what index 0 says.
inline const TaskClass add{"add", "program.tla:1",
                           [](const TaskView &task) {
                             if (task.index(0) == Throw)
                               throw std::runtime_error("the disk is full");
                             double &sum = *task.tile<double>(0).data();
                             sum = 3 * sum + 1;
                             if (task.index(0) == Add)
                               sum += *task.tile<double>(1).data();
                             return 0;
                           },
                           nullptr};

} // namespace tla::test
