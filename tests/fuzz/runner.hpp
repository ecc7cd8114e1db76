// Compiles a program and runs its cases, in this process: what may crash or never end.
#pragma once

#include "tests/fuzz/call.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuzz {

/// What went wrong. Two failures of one kind are taken for the same defect.
struct Failure {
  std::string kind;   ///< "differs from the serial elision"
  std::string detail; ///< "A on rank 1"
};

/// How often something was done.
using Counts = std::map<std::string, std::uint64_t>;

class Runner {
public:
  /// `file` holds the program; `tasks` by case, of the program on whole tiles. `step` is called before each part of the
  /// work.
  Runner(std::string file, std::string name, const Plan &plan, std::vector<std::uint64_t> tasks,
         std::function<void(const std::string &part)> step)
      : file_(std::move(file)), name_(std::move(name)), plan_(plan), tasks_(std::move(tasks)), step_(std::move(step)) {}

  /// The first failure, and the case that it was in; a negative one: in compiling.
  std::optional<Failure> run(int &failedCase);
  const Counts &counts() const { return counts_; }

private:
  std::optional<Failure> compile(const Variant &variant, int number);
  std::optional<Failure> runCase(const Case &one, std::uint64_t tasks);
  std::optional<Failure> sameInstances(const Case &one, const tla::Distribution &distribution);
  std::optional<Failure> makeExpected(const Case &one, std::uint64_t tasks);
  std::optional<Failure> runOnRanks(const Case &one, const tla::Distribution &distribution);

  std::string file_, name_;
  const Plan &plan_;
  std::vector<std::uint64_t> tasks_;
  std::function<void(const std::string &)> step_;
  Counts counts_;
  const tla::runtime::Algorithm *algorithm_ = nullptr; ///< of the variant at hand
  std::optional<Call> expected_;                       ///< of the case at hand
};

} // namespace fuzz
