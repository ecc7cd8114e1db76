#include "runtime/host/check/residuals.hpp"

#include <limits>

namespace tla::host {
namespace {

/// |b - F x| for every column, where F is a product of factors that are as many rows as B; F^H X is `adjoint(X)`.
template <typename T, typename Adjoint>
std::vector<RealOf<T>> systemErrors(const CheckArguments &arguments, Factor<T> &X, const ProblemMatrix &B,
                                    Adjoint &&adjoint) {
  using Value = Accumulator<T>;
  Factor<T> right = arguments.factor(Operand<T>::original(B, Part::All));
  return columnErrors<Value>(arguments.mode, right.rows(), right.columns(), [&](const Vectors<Value> &Z) {
    Vectors<Value> E = right.adjoint(Z);
    subtract(E, X.adjoint(adjoint(Z)));
    return E;
  });
}

/// max over columns j of errors[j] / (norm |x_j| eps).
template <typename T>
double worstColumn(const CheckArguments &arguments, const std::vector<RealOf<T>> &errors,
                   const std::vector<RealOf<T>> &solutionNorms, RealOf<T> norm) {
  RealOf<T> worst = 0;
  for (std::size_t j = 0; j < errors.size(); ++j)
    worst = maxOrNan(arguments.ratio<T>(errors[j], norm * solutionNorms[j] * arguments.eps()), worst);
  return worst;
}
} // namespace

template <typename T> double residualOfSolve(const CheckArguments &arguments) {
  const ProblemMatrix &matrix = arguments.matrix(0), &B = arguments.matrix(1);
  const Mirror mirror = matrix.parameter->shape == Shape::General ? Mirror::None : Mirror::Hermitian;
  Factor<T> A = arguments.factor(Operand<T>::original(matrix, Part::All).mirrored(mirror)),
            X = arguments.factor(Operand<T>::result(B, Part::All));
  const std::vector<RealOf<T>> errors = systemErrors<T>(arguments, X, B, [&](const auto &Z) { return A.adjoint(Z); });
  if (A.norm() == 0 && A.rows() > 0)
    return std::numeric_limits<double>::infinity(); // no X solves it, or any does
  return worstColumn<T>(arguments, errors, X.columnSums(), A.norm());
}

template <typename T> double residualOfPotrs(const CheckArguments &arguments) {
  const ProblemMatrix &matrix = arguments.matrix(0), &B = arguments.matrix(1);
  const Shape shape = matrix.parameter->shape;
  const Operand<T> triangle = Operand<T>::original(matrix, storedPart(shape));
  Factor<T> left = arguments.factor(triangle, shape == Shape::Upper ? Op::ConjTrans : Op::NoTrans),
            right = arguments.factor(triangle, shape == Shape::Upper ? Op::NoTrans : Op::ConjTrans),
            X = arguments.factor(Operand<T>::result(B, Part::All));
  const std::vector<RealOf<T>> errors =
      systemErrors<T>(arguments, X, B, [&](const auto &Z) { return adjointOf(Z, left, right); });
  return worstColumn<T>(arguments, errors, X.columnSums(), normOfAbsoluteProduct(left, right));
}

template <typename T> double residualOfTrsm(const CheckArguments &arguments) {
  using Value = Accumulator<T>;
  const bool left = arguments.option<Side>(0) == Side::Left;
  const Part part = partOf(arguments.option<Uplo>(1), arguments.option<Diag>(3));
  const Value alpha = arguments.number<T>(4);
  const ProblemMatrix &matrix = arguments.matrix(6);
  Factor<T> A = arguments.factor(Operand<T>::original(arguments.matrix(5), part), arguments.option<Op>(2)),
            B = arguments.factor(Operand<T>::original(matrix, Part::All)),
            X = arguments.factor(Operand<T>::result(matrix, Part::All));
  const RealOf<T> error = arguments.errorNorm<T>(B.rows(), B.columns(), [&](const Vectors<Value> &Z) {
    Vectors<Value> E = left ? adjointOf(Z, A, X) : adjointOf(Z, X, A);
    add(E, -conjugate(alpha), B.adjoint(Z));
    return E;
  });
  return arguments.ratio<T>(error, A.norm() * X.norm() * arguments.eps());
}

TLA_INSTANTIATE_RESIDUAL(residualOfSolve)
TLA_INSTANTIATE_RESIDUAL(residualOfPotrs)
TLA_INSTANTIATE_RESIDUAL(residualOfTrsm)

} // namespace tla::host
