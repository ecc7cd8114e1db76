// From a program and a case that fail to the smallest ones that still fail in the same way.
#pragma once

#include "tests/fuzz/trial.hpp"

#include <chrono>

namespace fuzz {

class Shrinker {
public:
  Shrinker(std::string directory, double seconds)
      : directory_(std::move(directory)),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))) {}

  /// `plan` has one variant and one case, or only a variant: a program that cannot be compiled.
  void shrink(Program &program, TrialPlan &plan, const Failure &failure);
  int trials() const { return trials_; }

private:
  bool fails(const Program &program, const TrialPlan &plan);
  bool isRight(const Program &program, const TrialPlan &plan) const;
  bool accept(Program &program, Program candidate, const TrialPlan &plan);
  bool acceptCase(const Program &program, TrialPlan &plan, const TrialPlan &candidate);
  bool over() const { return std::chrono::steady_clock::now() > end_; }

  bool shrinkCase(const Program &program, TrialPlan &plan);
  bool shrinkFault(const Program &program, TrialPlan &plan);
  bool shrinkSizes(const Program &program, TrialPlan &plan);
  /// Tries edit(candidate, 0), edit(candidate, 1), ... until it returns false; each that fails alike stays.
  template <typename Edit> bool tryAll(Program &program, const TrialPlan &plan, const Edit &edit);

  std::string directory_;
  std::chrono::steady_clock::time_point end_;
  std::string kind_;
  bool emptyPanels_ = false; ///< the program has some where it fails; one without must not get any
  Deadlines deadlines_;
  int trials_ = 0;
};

} // namespace fuzz
