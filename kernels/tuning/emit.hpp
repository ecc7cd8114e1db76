// A plan as C++: one translation unit with the loop nest, run through nestSymbol. Meant to be read: hetc tune
// --emit=cpp shows it.
#pragma once

#include "kernels/tuning/plan.hpp"

namespace hetc::tuning {

/// extern "C" void hetc_nest(tla::tuning::Run *)
inline constexpr const char *nestSymbol = "hetc_nest";

std::string emitNest(const Plan &plan);

} // namespace hetc::tuning
