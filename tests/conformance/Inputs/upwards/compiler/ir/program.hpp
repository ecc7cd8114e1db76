#include "compiler/driver/compile.hpp"
