#include "runtime/core/engine.hpp"
