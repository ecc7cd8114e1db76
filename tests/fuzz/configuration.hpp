// How a program is compiled and run: what is drawn beside the program itself.
#pragma once

#include "tests/fuzz/interpreter.hpp"
#include "tests/fuzz/random.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fuzz {

/// One compilation.
struct Variant {
  int slices = 1;
  std::string distribution{}; ///< for whose nodes there are to be loops; empty: none

  bool operator==(const Variant &) const = default;
};

/// One run of a variant.
struct Case {
  int variant = 0;
  Sizes sizes{};
  std::optional<int> slice{}; ///< columns of each slice but the last
  std::uint64_t seed = 1;     ///< of the matrices' content
  int ranks = 1;
  std::string distribution = "2dbc:1x1";
  bool byNodes = false; ///< each rank by the loops of nodes, if the compiler has found some
  int threads = 1, window = 8192;
  std::size_t renameBytes = 64u << 20;
  std::string devices = "none"; ///< of each rank
  int fanOut = 4;
  std::size_t forwardBytes = 256u << 20;
  int delayMicroseconds = 0; ///< that each step of a message may take: messages overtake one another
};

struct Plan {
  char type = 'd';
  std::string sizes = "mn"; ///< those that the program has
  std::vector<Variant> variants;
  std::vector<Case> cases; ///< those of a variant together
};

/// What may be drawn.
struct Bounds {
  int mostRanks = 8, mostSlices = 4, mostThreads = 4, cases = 12;
};

/// Sizes for which the program is not right, which is a mistake of its maker, are not drawn; none are left: no cases.
Plan drawPlan(const Program &program, const Bounds &bounds, const std::string &directory, Random &random);

/// The command that does the same, for the file.
std::string commandLine(const std::string &file, const Plan &plan, const Case &one);

} // namespace fuzz
