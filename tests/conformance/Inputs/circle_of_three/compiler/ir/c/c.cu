#include "compiler/ir/a/a.hpp"
