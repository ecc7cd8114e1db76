// The scaled residuals of check.hpp, one function each; private to the checks.
#pragma once

#include "runtime/host/check/factor.hpp"
#include "runtime/host/problem/scalars.hpp"

namespace tla::host {

/// The arguments of a check, and the means to compute with them.
struct CheckArguments : CheckOperands {
  CheckMode mode;
  Team team;
  NumberRange &range;

  /// A number of the algorithm's type, rounded as the program's own.
  template <typename T> Accumulator<T> number(int position) const {
    const Accumulator<T> value(fromComplex<typename T::Element>(problem.number(name(position))));
    range.seeNumber(magnitude(value));
    return value;
  }
  double eps() const { return unitRoundoff(problem.algorithm->type); }

  template <typename T> Factor<T> factor(const Operand<T> &A, Op op = Op::NoTrans) const {
    return {A, op, team, range};
  }
  /// error / allowed. 0 / 0 is 0, of a result that is exactly right where nothing may be wrong. A result that is not
  /// finite, or is compared with what is not, is not right, whatever its error: NaN.
  template <typename T> RealOf<T> ratio(RealOf<T> error, RealOf<T> allowed) const {
    range.seeAllowedError<T>(allowed);
    if (!std::isfinite(allowed))
      return std::numeric_limits<RealOf<T>>::quiet_NaN();
    return error == 0 && allowed == 0 ? 0 : error / allowed;
  }
  /// The 1-norm of an error (columnErrors).
  template <typename T, typename Adjoint> RealOf<T> errorNorm(long rows, long columns, Adjoint &&adjoint) const {
    return largest(columnErrors<Accumulator<T>>(mode, rows, columns, adjoint));
  }
};

// T: the arithmetic, of the element type of all the matrices.
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
  template double function<Fast<float>>(const CheckArguments &);                                                       \
  template double function<Fast<double>>(const CheckArguments &);                                                      \
  template double function<Fast<std::complex<float>>>(const CheckArguments &);                                         \
  template double function<Fast<std::complex<double>>>(const CheckArguments &);                                        \
  template double function<Wide<double>>(const CheckArguments &);                                                      \
  template double function<Wide<std::complex<double>>>(const CheckArguments &);

} // namespace tla::host
