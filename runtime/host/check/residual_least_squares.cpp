#include "runtime/host/check/residuals.hpp"

namespace tla::host {
namespace {

/// min |b - F x| for F = op(A), p x q; B has max(p, q) rows, of which the first p are b before the run and the first q
/// are x after it.
template <typename T> struct LeastSquares {
  using Value = Accumulator<T>;
  using Real = RealOf<T>;
  const CheckArguments &arguments;
  Factor<T> F, adjointF, B, X;
  long storedRows;

  LeastSquares(const CheckArguments &arguments, Op op)
      : arguments(arguments), F(matrixUnder(op)),
        adjointF(matrixUnder(op == Op::NoTrans ? Op::ConjTrans : Op::NoTrans)),
        B(arguments.factor(Operand<T>::original(arguments.matrix(2), Part::All).leadingRows(F.rows()))),
        X(arguments.factor(Operand<T>::result(arguments.matrix(2), Part::All).leadingRows(F.columns()))),
        storedRows(arguments.matrix(2).extent.rows) {}

  Factor<T> matrixUnder(Op op) const {
    return arguments.factor(Operand<T>::original(arguments.matrix(1), Part::All), op);
  }

  /// (B - F X)^H Z
  Vectors<Value> residualAdjoint(const Vectors<Value> &Z) {
    Vectors<Value> E = B.adjoint(resized(Z, storedRows));
    subtract(E, X.adjoint(resized(F.adjoint(Z), storedRows)));
    return E;
  }

  /// max over columns of |F^H (b - F x)| / (max(p, q) |A| (|A| |x| + |b|) eps): the residual is orthogonal to the
  /// range.
  Real overdetermined() {
    const std::vector<Real> errors =
        columnErrors<Value>(arguments.mode, F.columns(), B.columns(),
                            [&](const Vectors<Value> &Z) { return residualAdjoint(adjointF.adjoint(Z)); });
    return worst(errors, [&](std::size_t j) { return F.norm() * X.columnSums()[j] + B.columnSums()[j]; });
  }

  /// max over columns of |b - F x| / (max(p, q) |A| |x| eps), and of what of x is not in the range of F^H.
  Real underdetermined() {
    const std::vector<Real> errors = columnErrors<Value>(arguments.mode, F.rows(), B.columns(),
                                                         [&](const Vectors<Value> &Z) { return residualAdjoint(Z); });
    const Real residual = worst(errors, [&](std::size_t j) { return X.columnSums()[j]; });
    const double work =
        static_cast<double>(F.columns()) * static_cast<double>(F.rows()) * static_cast<double>(F.rows());
    constexpr double quickly = 1e9; // flops, a second or so
    return arguments.mode == CheckMode::Full || work <= quickly ? maxOrNan(outsideRange(), residual) : residual;
  }

private:
  template <typename Scale> Real worst(const std::vector<Real> &errors, Scale &&scale) {
    Real result = 0;
    for (std::size_t j = 0; j < errors.size(); ++j)
      result = maxOrNan(arguments.ratio<T>(errors[j], storedRows * F.norm() * scale(j) * arguments.eps()), result);
    return result;
  }

  /// max over columns of |x - V V^H x| / (max(p, q) |x| eps) for an orthonormal basis V of the range of F^H (as
  /// LAPACK's dqrt14 asks, by Gram-Schmidt, twice).
  Real outsideRange() {
    Vectors<Value> V = F.adjoint(unitVectors<Value>(F.rows(), 0, static_cast<int>(F.rows())));
    for (int j = 0; j < V.count; ++j) {
      pollInterruption();
      project(V, j, V.column(j));
      normalize(V.column(j), V.length);
    }
    const int columns = static_cast<int>(X.columns());
    Factor<T> adjointX =
        arguments.factor(Operand<T>::result(arguments.matrix(2), Part::All).leadingRows(F.columns()), Op::ConjTrans);
    Vectors<Value> rest = resized(adjointX.adjoint(unitVectors<Value>(columns, 0, columns)), F.columns());
    Real result = 0;
    for (int j = 0; j < columns; ++j) {
      pollInterruption();
      project(V, V.count, rest.column(j));
      Real sum = 0;
      for (long i = 0; i < rest.length; ++i)
        sum += magnitude(rest.column(j)[i]);
      result = maxOrNan(arguments.ratio<T>(sum, storedRows * X.columnSums()[j] * arguments.eps()), result);
    }
    return result;
  }
  /// Divides by the 2-norm; leaves zeros.
  static void normalize(Value *x, long length) {
    const Real size = largest(x, length);
    if (size == 0)
      return;
    Real squares = 0; // of x / size: those of rows as small as graded matrices have them underflow
    for (long i = 0; i < length; ++i)
      squares += std::norm(x[i] /= size);
    for (long i = 0; i < length; ++i)
      x[i] /= std::sqrt(squares);
  }
  /// x = x - V V^H x over the first `count` columns of V.
  static void project(const Vectors<Value> &V, int count, Value *x) {
    for (int pass = 0; pass < 2; ++pass)
      for (int c = 0; c < count; ++c) {
        const Value *const v = V.column(c);
        Value product(0);
        for (long i = 0; i < V.length; ++i)
          product += conjugate(v[i]) * x[i];
        for (long i = 0; i < V.length; ++i)
          x[i] -= product * v[i];
      }
  }
};
} // namespace

template <typename T> double residualOfLeastSquares(const CheckArguments &arguments) {
  LeastSquares<T> problem(arguments, arguments.option<Op>(0) == Op::NoTrans ? Op::NoTrans : Op::ConjTrans);
  return problem.F.rows() >= problem.F.columns() ? problem.overdetermined() : problem.underdetermined();
}

TLA_INSTANTIATE_RESIDUAL(residualOfLeastSquares)

} // namespace tla::host
