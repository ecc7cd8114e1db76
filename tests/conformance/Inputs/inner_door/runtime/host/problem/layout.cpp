#include "runtime/core/window/task.hpp"
#include "runtime/core/window/tile_table.hpp"
