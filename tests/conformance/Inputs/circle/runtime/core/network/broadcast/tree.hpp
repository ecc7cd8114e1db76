#include "runtime/core/network/courier.hpp"
