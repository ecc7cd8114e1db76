// An algorithm of a .tla file, compiled and loaded into this process.
#pragma once

#include "tests/fuzz/examiner.hpp"

namespace fuzz {

/// Compiles the algorithm for the plan's type and processors into a library, which stays loaded. Messages go to stderr.
std::optional<Failure> compile(const std::string &file, const std::string &name, const TrialPlan &plan,
                               const Variant &variant, const std::string &library, Counts &counts,
                               const tla::runtime::Algorithm *&algorithm);

} // namespace fuzz
