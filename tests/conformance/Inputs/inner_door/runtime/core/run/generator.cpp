#include "runtime/core/window/appender.hpp"
#include "runtime/core/window/versions.hpp"
