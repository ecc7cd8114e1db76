// What makes two processes the same program.
#pragma once

#include "runtime/host/ranks/traits.hpp"

namespace tla::runtime {
struct Algorithm;
}

namespace tla::host {

/// What of this process must be the same on all ranks: hetc's version and library, the program, its options, the choice
/// of kernels.
std::vector<Trait> traitsOf(const runtime::Algorithm &algorithm, int argc, const char *const *argv);

} // namespace tla::host
