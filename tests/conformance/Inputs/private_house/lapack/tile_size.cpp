#include "runtime/core/window.hpp"
