#include "compiler/ir/c/c.cu"
