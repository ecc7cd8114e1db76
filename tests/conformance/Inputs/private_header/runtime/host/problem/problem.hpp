#include "runtime/host/files/line_scanner.hpp"
