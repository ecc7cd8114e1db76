// Compiles a program and runs its cases, in this process.
#pragma once

#include "tests/fuzz/examiner.hpp"
#include "tests/fuzz/interpreter.hpp"

#include <vector>

namespace fuzz {

class Runner {
public:
  /// `file` holds the program; `tallies` by case. `plainFile`: the program whose serial elision is what this one should
  /// do; empty: itself.
  Runner(std::string file, std::string plainFile, std::string name, const TrialPlan &plan, std::vector<Tally> tallies,
         Step step, Counts &counts)
      : file_(std::move(file)), plainFile_(std::move(plainFile)), name_(std::move(name)), plan_(plan),
        tallies_(std::move(tallies)), step_(std::move(step)), counts_(counts) {}

  /// The first failure, and the case that it was in; negative: -1 - the variant that was being compiled.
  std::optional<Failure> run(int &failedCase);

private:
  std::string file_, plainFile_, name_;
  const TrialPlan &plan_;
  std::vector<Tally> tallies_;
  Step step_;
  Counts &counts_;
};

} // namespace fuzz
