// Makes a random program compute with large integers.
#pragma once

#include "tests/fuzz/program.hpp"
#include "tests/fuzz/random.hpp"

namespace fuzz {

/// Lets some integers of the program be computed by way of numbers that no int holds (Operator::Wide).
void widen(Program &program, Random &random);

} // namespace fuzz
