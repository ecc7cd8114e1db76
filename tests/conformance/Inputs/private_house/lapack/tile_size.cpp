#include "runtime/host/plan/tile_size.hpp"
