// LAPACK's way to report an illegal argument.
#pragma once

#include "lapack/next_library.hpp"

#include <initializer_list>

namespace tla::lapack {

/// A condition on the argument at `position` (from 1) of a routine.
struct Requirement {
  int position;
  bool holds;
};

/// LAPACK's info of the first requirement that does not hold, -position; 0 when all do.
int firstIllegal(std::initializer_list<Requirement> requirements);

/// Calls the XERBLA of the caller's LAPACK. `routine` is the name in capitals, as LAPACK gives it: "DGELS ", six
/// characters at least.
void xerbla(const char *routine, int position, const Origin &origin);

} // namespace tla::lapack
