// Accesses to slices of tiles in a form that isl is fast with.
#pragma once

#include <isl/cpp.h>

namespace hetc::dependence {

/// { S0[k, d] -> A[row, column, slice] } from { S0[k, d] -> A[row, slices * column + slice] }, 0 <= slice < slices. Two
/// accesses meet where the numbers of their slice columns are equal, 3 k + d = 3 k' + d'; of that isl does not see that
/// it says k = k' and d = d', and makes cases and divisions of it.
isl::map splitSliceColumns(const isl::map &accesses, int slices);

/// { A[row, column, slice] -> A[row, slices * column + slice] }.
isl::map joinSliceColumns(isl::ctx ctx, const std::string &tuple, int slices);

} // namespace hetc::dependence
