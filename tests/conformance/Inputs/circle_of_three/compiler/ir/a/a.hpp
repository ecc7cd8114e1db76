#include "compiler/ir/b/b.cuh"
