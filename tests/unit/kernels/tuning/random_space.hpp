#pragma once

#include <random>
#include <string>

namespace hetc::tuning {

/// The text of a small random space: two to four iterators with ranges that depend on each other, lists, derived values
/// and constraints of all shapes. It may have errors: a division by zero, an iterator that does not end.
std::string randomSpace(std::mt19937 &random);

} // namespace hetc::tuning
