// The operation counts that speeds are quoted in.
#pragma once

#include "runtime/host/problem/problem.hpp"

namespace tla::host {

/// Real floating-point operations that the algorithm's check stands for, as LAPACK counts them [LAPACK Working Note 41;
/// 4 x for complex types]. 0 when unknown.
double nominalFlops(const Problem &problem);

} // namespace tla::host
