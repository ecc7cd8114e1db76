#include "runtime/host/check/orthogonal.hpp"

namespace tla::host {
namespace {

/// |A - Q R|
template <typename T>
RealOf<T> factorizationError(const CheckArguments &arguments, Factor<T> &A, const OrthogonalFactor<T> &Q) {
  using Value = Accumulator<T>;
  Factor<T> R = arguments.factor(Operand<T>::result(arguments.matrix(0), Part::Upper)); // zeros below n rows
  return arguments.errorNorm<T>(A.rows(), A.columns(), [&](const Vectors<Value> &X) {
    Vectors<Value> E = A.adjoint(X);
    subtract(E, R.adjoint(Q.apply(Op::ConjTrans, X)));
    return E;
  });
}

/// The larger of |I - Q^H Q| and | |Q x|^2 - |x|^2 | / |x|^2 over the vectors x that it was tried on.
template <typename T>
RealOf<T> orthogonalityError(const CheckArguments &arguments, long rows, const OrthogonalFactor<T> &Q) {
  using Value = Accumulator<T>;
  using Real = RealOf<T>;
  Real stretch = 0;
  const Real error = arguments.errorNorm<T>(rows, rows, [&](const Vectors<Value> &X) {
    const Vectors<Value> QX = Q.apply(Op::NoTrans, X);
    const auto square = [rows](const Value *x) {
      Real sum = 0;
      for (long i = 0; i < rows; ++i)
        sum += std::norm(x[i]);
      return sum;
    };
    for (int v = 0; v < X.count; ++v)
      stretch = maxOrNan(std::abs(square(QX.column(v)) / square(X.column(v)) - 1), stretch);
    Vectors<Value> E = X;
    subtract(E, Q.apply(Op::ConjTrans, QX));
    return E;
  });
  return maxOrNan(error, stretch);
}
} // namespace

template <typename T> double residualOfQr(const CheckArguments &arguments) {
  Factor<T> A = arguments.factor(Operand<T>::original(arguments.matrix(0), Part::All));
  if (A.rows() == 0 || A.columns() == 0)
    return 0;
  const double rows = static_cast<double>(A.rows()), eps = arguments.eps();
  const OrthogonalFactor<T> Q(arguments);
  const RealOf<T> factorization = factorizationError(arguments, A, Q),
                  orthogonality = orthogonalityError(arguments, A.rows(), Q);
  return maxOrNan(arguments.ratio<T>(factorization, rows * A.norm() * eps), orthogonality / (rows * eps));
}

TLA_INSTANTIATE_RESIDUAL(residualOfQr)

} // namespace tla::host
