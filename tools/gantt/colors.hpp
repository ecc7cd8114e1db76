// Colours: the same kernels in the same trace have the same, in pictures and pages.
#pragma once

#include "tools/gantt/idle.hpp"

#include <string>
#include <vector>

namespace hetc::gantt {

/// "#4477aa", by kernel. Copies and messages have their own; more kernels than there are colours share them.
std::vector<std::string> kernelColors(const std::vector<std::string> &kernels);
const char *colorOf(Cause cause);
/// A part of the run that no colour is seen of.
inline constexpr double little = 1e-6;

} // namespace hetc::gantt
