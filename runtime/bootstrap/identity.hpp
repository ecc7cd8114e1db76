// That all ranks of a run are the same program with the same options.
#pragma once

#include "runtime/bootstrap/ranks.hpp"

namespace tla::runtime {
struct Algorithm;
}

namespace tla::bootstrap {

/// What must be the same on all ranks, and what it is here. The value of "options" is packed (packed_text.hpp).
struct Trait {
  std::string name, value;
};

/// Of this process: hetc's version and library, the program, its options, the choice of kernels.
std::vector<Trait> traitsOf(const runtime::Algorithm &algorithm, int argc, const char *const *argv);

/// What sets a rank apart from rank 0: "rank 2 has other options than rank 0: '-n 500' instead of '-n 400'". Empty:
/// nothing.
std::string difference(int rank, const std::vector<Trait> &theirs, const std::vector<Trait> &first);

/// Collective. Throws UsageError, on all ranks, for the lowest rank that differs from rank 0.
void requireSameProgram(Ranks &ranks, const std::vector<Trait> &mine);

} // namespace tla::bootstrap
