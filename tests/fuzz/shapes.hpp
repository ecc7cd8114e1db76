// What kernels require of the sizes of their arguments, from what LAPACK and BLAS say of theirs: not from the
// annotations, which hetc reads.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fuzz {

/// A tile, or a number, or an option.
struct SeenArgument {
  long m = 0, n = 0;
  long value = 0;
  std::string option{}; ///< "NoTrans"
};

/// Whether the kernel may be called with these; kernels without requirements with any. The outputs are not empty.
bool fits(const std::string &kernel, const std::vector<SeenArgument> &arguments);

/// Whether the kernel may have one tile as two arguments, of which it writes one.
bool maySeeOneTileTwice(const std::string &kernel);

} // namespace fuzz
