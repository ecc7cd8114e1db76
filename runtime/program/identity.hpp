// What makes two processes the same program.
#pragma once

#include "runtime/host/ranks/traits.hpp"

namespace tla::runtime {
struct Algorithm;
}

namespace tla::host {

/// The properties of this process that must be the same on all ranks: hetc's version and library, the program, its
/// options, the choice of kernels.
std::vector<Trait> traitsOf(const runtime::Algorithm &algorithm, int argc, const char *const *argv);

/// A warning where own kernels are compiled for other processors on some ranks; `kernels` has, by rank, what they are
/// compiled for, "native znver4 adx,aes,...". Empty: they are alike.
std::string unlikeProcessors(const std::vector<std::string> &kernels);

} // namespace tla::host
