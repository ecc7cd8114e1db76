#include "runtime/core/window/window.hpp"
