// The scaled residuals of check.hpp, one function each; private to the checks.
#pragma once

#include "runtime/host/check/factor.hpp"
#include "runtime/host/problem/scalars.hpp"

namespace tla::host {

/// What a check works on.
struct CheckArguments : CheckOperands {
  CheckMode mode;
  Team team;

  /// A number of the algorithm's type T, rounded as the program's own.
  template <typename T> Accumulator<T> number(int position) const {
    return Accumulator<T>(fromComplex<T>(problem.number(name(position))));
  }
  double eps() const { return unitRoundoff(problem.algorithm->type); }

  template <typename T> Factor<T> factor(const Operand<T> &A, Op op = Op::NoTrans) const { return {A, op, team}; }
  /// The 1-norm of an error (columnErrors).
  template <typename T, typename Adjoint> double errorNorm(long rows, long columns, Adjoint &&adjoint) const {
    return largest(columnErrors<Accumulator<T>>(mode, rows, columns, adjoint));
  }
};

// T: element type of all the matrices.
template <typename T> double residualOfLlt(const CheckArguments &arguments);
template <typename T> double residualOfLdl(const CheckArguments &arguments);
template <typename T> double residualOfLu(const CheckArguments &arguments);
template <typename T> double residualOfPlu(const CheckArguments &arguments);
template <typename T> double residualOfQr(const CheckArguments &arguments);
template <typename T> double residualOfSolve(const CheckArguments &arguments);
template <typename T> double residualOfPotrs(const CheckArguments &arguments);
template <typename T> double residualOfLeastSquares(const CheckArguments &arguments);
template <typename T> double residualOfGemm(const CheckArguments &arguments);
template <typename T> double residualOfSymm(const CheckArguments &arguments);
template <typename T> double residualOfHemm(const CheckArguments &arguments);
template <typename T> double residualOfSyrk(const CheckArguments &arguments);
template <typename T> double residualOfHerk(const CheckArguments &arguments);
template <typename T> double residualOfTrmm(const CheckArguments &arguments);
template <typename T> double residualOfTrsm(const CheckArguments &arguments);
template <typename T> double residualOfLauum(const CheckArguments &arguments);
template <typename T> double residualOfTrtri(const CheckArguments &arguments);
template <typename T> double residualOfPotri(const CheckArguments &arguments);
template <typename T> double residualOfInverse(const CheckArguments &arguments);
template <typename T> double residualOfUser(const CheckArguments &arguments);

#define TLA_INSTANTIATE_RESIDUAL(function)                                                                             \
  template double function<float>(const CheckArguments &);                                                             \
  template double function<double>(const CheckArguments &);                                                            \
  template double function<std::complex<float>>(const CheckArguments &);                                               \
  template double function<std::complex<double>>(const CheckArguments &);

/// error / scale, where 0 / 0 is 0: nothing to do, nothing wrong.
inline double ratio(double error, double scale) { return error == 0 && scale == 0 ? 0 : error / scale; }

} // namespace tla::host
