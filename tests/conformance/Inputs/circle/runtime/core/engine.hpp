#include "runtime/core/broadcast/tree.hpp"
