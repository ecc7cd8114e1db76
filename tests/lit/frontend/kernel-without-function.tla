// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: kernel-without-function.tla:[[@LINE+1]]:1: error: '#pragma tla kernel' is not followed by a function declaration
#pragma tla kernel
struct S {};

// MEND: Put the pragma directly before the kernel's declaration.
