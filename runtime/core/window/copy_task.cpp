#include "runtime/core/window/copy_task.hpp"

namespace tla::runtime {

static int neverCopies(const TaskView &) { return 0; }

const TaskClass copyClass{"copy", "", neverCopies, nullptr, 1};

} // namespace tla::runtime
