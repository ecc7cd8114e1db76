// How a program is compiled and run: what is drawn beside the program itself.
#pragma once

#include "tests/fuzz/interpreter.hpp"
#include "tests/fuzz/random.hpp"

#include <tla/runtime/task_blocks.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fuzz {

/// One compilation.
struct Variant {
  int slices = 1;
  int copies = 1;             ///< copies of the nodes, to which updates are dealt, where the program has some
  std::string distribution{}; ///< for whose nodes there are to be loops; empty: none

  bool operator==(const Variant &) const = default;
};

/// The faults in a run on several ranks. By default nothing.
struct Fault {
  /// All ranks see what comes in, or finishes, so many looks late at most, in another order.
  int holdBack = 0;
  /// One rank's part in what follows: each message takes it longer; at one message it stands still for a time, or for
  /// ever. Which rank: so many thousandths of those that send or receive. Which message: of all of the rank's.
  int rankPermille = 0, permille = 0;
  int slowMicroseconds = 0, frozenMilliseconds = 0;
  bool dies = false;
  double watchdogSeconds = 15; ///< far longer than any case takes, unless it is to be shorter than the fault

  bool operator==(const Fault &) const = default;
  /// Whether the fault must end the run, if there is a message at which it happens; in all other cases the result is
  /// the same.
  bool ends() const { return dies || frozenMilliseconds > longestBorne; }
  static constexpr int longestBorne =
      3500; ///< milliseconds; a rank that does not answer has 4 s more than the watchdog
};

/// One run of a variant.
struct Case {
  int variant = 0;
  Sizes sizes{};
  std::optional<int> slice{}; ///< columns of each slice but the last
  std::uint64_t seed = 1;     ///< seed of the matrices' content
  int ranks = 1;
  std::string distribution = "2dbc:1x1";
  bool byNodes = false; ///< each rank by the loops of nodes, if the compiler has found some
  int threads = 1, window = 8192;
  std::size_t renameBytes = 64u << 20;
  std::string devices = "none";     ///< devices of each rank
  int deviceCount = 0;              ///< number of these
  int deviceRows = 1;               ///< rows of a grid of them
  bool resident = false;            ///< matrices stay with them
  tla::runtime::TaskBlocks order{}; ///< order of tasks for devices
  int fanOut = 4;
  std::size_t forwardBytes = 256u << 20;
  int delayMicroseconds = 0; ///< longest time of each step of a message: messages overtake one another
  Fault fault{};
  std::string file{}; ///< the program's, beside which those with the patterns of a sparse case are (writePatterns)
};

struct TrialPlan {
  char type = 'd';
  std::string march{};                 ///< processors for which own kernels are compiled (Request::march); empty: any
  std::string sizes = "mn";            ///< sizes that the program has
  bool asksPeriod = false;             ///< the program does
  std::vector<std::string> matrices{}; ///< matrices of which not all tiles may be there
  std::vector<Variant> variants;
  std::vector<Case> cases; ///< cases of a variant together

  /// Sets what options the program has.
  void suit(const Program &program);
};

/// The bounds within which configurations are drawn.
struct Bounds {
  int mostRanks = 8, mostSlices = 4, mostThreads = 4, cases = 16;
  unsigned faults = 25; ///< percent of the cases on several ranks
};

/// Sizes for which the program is not right, which is a mistake of its maker, are not drawn; none are left: no cases.
TrialPlan drawPlan(const Program &program, const Bounds &bounds, const std::string &directory, Random &random);

/// Some of the cases on several ranks get a fault; everything else in the plan stays as it is.
void drawFaults(TrialPlan &plan, const Bounds &bounds, Random &random);

/// "a rank stands still for 300 ms at 40 % of its messages"; empty: none.
std::string faultText(const Fault &fault);

/// The file of --pattern for a matrix in a case that is sparse: beside the program's, by its name.
std::string patternFile(const std::string &file, const std::string &matrix, const Sizes &sizes);
/// Writes these files for all cases of the plan.
void writePatterns(const Program &program, const TrialPlan &plan, const std::string &file);

/// The command that does the same, for the file, except a fault, which a comment at its end tells.
std::string commandLine(const std::string &file, const TrialPlan &plan, const Case &one);

} // namespace fuzz
