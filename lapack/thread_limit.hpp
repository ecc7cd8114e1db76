// How many threads one call may have where the user does not say.
#pragma once

#include <initializer_list>
#include <string>

namespace tla::lapack {

/// The threads that a BLAS of the host allows.
struct BlasLimit {
  int threads = 0;   ///< the number it would take for a call; 0: it does not say
  int builtWith = 0; ///< the most that it was built for; 0: it does not say
};

/// As many threads as there are processors, but no more than each BLAS of the host takes: who gives the BLAS fewer
/// gives us no more. A BLAS that takes exactly as many as it was built for, fewer than there are processors, is no such
/// wish (Debian builds OpenBLAS for 64), unless an environment variable of threads is set.
int allowedThreads(int processors, std::initializer_list<BlasLimit> limits, bool isSetByEnvironment);

/// The N of "MAX_THREADS=N" in OpenBLAS's description of its build; 0: it is not there.
int threadsOfBuild(const std::string &configuration);

/// Whether OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS or OMP_NUM_THREADS is set.
bool areThreadsSetByEnvironment();

} // namespace tla::lapack
