#include "runtime/core/window/tile_table.hpp"
