// Compiles a program and runs its cases, in this process.
#pragma once

#include "tests/fuzz/examiner.hpp"

#include <vector>

namespace fuzz {

class Runner {
public:
  /// `file` holds the program; `tasks` by case, of the program on whole tiles.
  Runner(std::string file, std::string name, const Plan &plan, std::vector<std::uint64_t> tasks, Step step,
         Counts &counts)
      : file_(std::move(file)), name_(std::move(name)), plan_(plan), tasks_(std::move(tasks)), step_(std::move(step)),
        counts_(counts) {}

  /// The first failure, and the case that it was in; negative: -1 - the variant that was being compiled.
  std::optional<Failure> run(int &failedCase);

private:
  std::string file_, name_;
  const Plan &plan_;
  std::vector<std::uint64_t> tasks_;
  Step step_;
  Counts &counts_;
};

} // namespace fuzz
