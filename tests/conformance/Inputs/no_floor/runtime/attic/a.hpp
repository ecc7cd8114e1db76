#include "runtime/core/task.hpp"
