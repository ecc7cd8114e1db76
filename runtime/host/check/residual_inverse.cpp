#include "runtime/host/check/residuals.hpp"

namespace tla::host {
namespace {

/// |I - A R|, where `adjoint(X)` is (A R)^H X.
template <typename T, typename Adjoint>
double identityError(const CheckArguments &arguments, long n, Adjoint &&adjoint) {
  using Value = Accumulator<T>;
  return arguments.errorNorm<T>(n, n, [&](const Vectors<Value> &X) {
    Vectors<Value> E = X;
    subtract(E, adjoint(X));
    return E;
  });
}

/// |I - A R| / (n |A| |R| eps) for R = A^-1, both of the same part.
template <typename T> double inverseResidual(const CheckArguments &arguments, const ProblemMatrix &matrix, Part part) {
  Factor<T> A = arguments.factor(Operand<T>::original(matrix, part)),
            R = arguments.factor(Operand<T>::result(matrix, part));
  const double error = identityError<T>(arguments, A.rows(), [&](const auto &X) { return adjointOf(X, A, R); });
  return ratio(error, static_cast<double>(A.rows()) * A.norm() * R.norm() * arguments.eps());
}
} // namespace

template <typename T> double residualOfInverse(const CheckArguments &arguments) {
  return inverseResidual<T>(arguments, arguments.matrix(0), Part::All);
}

template <typename T> double residualOfTrtri(const CheckArguments &arguments) {
  return inverseResidual<T>(arguments, arguments.matrix(2),
                            partOf(arguments.option<Uplo>(0), arguments.option<Diag>(1)));
}

template <typename T> double residualOfPotri(const CheckArguments &arguments) {
  const Part part = partOf(arguments.option<Uplo>(0));
  const bool upper = part == Part::Upper;
  const ProblemMatrix &matrix = arguments.matrix(1);
  const Operand<T> triangle = Operand<T>::original(matrix, part);
  Factor<T> left = arguments.factor(triangle, upper ? Op::ConjTrans : Op::NoTrans),
            right = arguments.factor(triangle, upper ? Op::NoTrans : Op::ConjTrans),
            R = arguments.factor(Operand<T>::result(matrix, part).mirrored(Mirror::Hermitian));
  const double error =
      identityError<T>(arguments, R.rows(), [&](const auto &X) { return adjointOf(X, left, right, R); });
  const double norm = normOfAbsoluteProduct(left, right);
  return ratio(error, static_cast<double>(R.rows()) * norm * R.norm() * arguments.eps());
}

TLA_INSTANTIATE_RESIDUAL(residualOfTrtri)
TLA_INSTANTIATE_RESIDUAL(residualOfPotri)
TLA_INSTANTIATE_RESIDUAL(residualOfInverse)

} // namespace tla::host
