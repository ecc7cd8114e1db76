// Inputs from seeds: bytes, words, numbers and lines changed.
#pragma once

#include "tests/fuzz/random.hpp"
#include "tests/fuzz/readers/reader.hpp"

#include <cstdint>

namespace fuzz::readers {

/// The number-th input for this reader. It depends on the three alone. The first are the seeds as they are.
std::string inputOf(const Reader &reader, std::uint64_t seed, std::uint64_t number);

} // namespace fuzz::readers
