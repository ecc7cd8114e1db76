#include "runtime/core/network/broadcast/tree.hpp"
