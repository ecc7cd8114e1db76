// The scaled residuals of check.hpp, one function each; private to the checks.
#pragma once

#include "runtime/bootstrap/check.hpp"

namespace tla::bootstrap {

/// A check's arguments by position, found in the problem.
struct CheckArguments {
  const Problem &problem;
  CheckMode mode;
  runtime::Executor &executor;

  const char *name(int position) const { return problem.algorithm->checkArguments[position]; }
  const ProblemMatrix &matrix(int position) const { return *problem.find(name(position)); }
};

// T: element type of all the matrices.
template <typename T> double residualOfLlt(const CheckArguments &arguments);
template <typename T> double residualOfSolve(const CheckArguments &arguments);
template <typename T> double residualOfPotrs(const CheckArguments &arguments);
template <typename T> double residualOfGemm(const CheckArguments &arguments);

/// error / scale, where 0 / 0 is 0: nothing to do, nothing wrong.
inline double ratio(double error, double scale) { return error == 0 && scale == 0 ? 0 : error / scale; }

} // namespace tla::bootstrap
