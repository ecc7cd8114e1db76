// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: algorithm-without-function.tla:[[@LINE+1]]:1: error: '#pragma tla algorithm' is not followed by a function template
#pragma tla algorithm
int x;

// MEND: Put the pragma directly before `template <typename T> void name(...)`.
