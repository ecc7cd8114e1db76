#include "runtime/bootstrap/dense_error.hpp"
#include "runtime/bootstrap/residuals.hpp"

#include <limits>

namespace tla::bootstrap {
namespace {

/// The factor that the run left: A = L L^H from a lower matrix, A = U^H U from an upper one.
template <typename T> Operand<T> factorOf(const ProblemMatrix &A) {
  return Operand<T>::result(A, A.parameter->shape == Shape::Upper ? Part::Upper : Part::Lower);
}

/// max |(L L^H - A) x| over the probe vectors, and |A|.
template <typename T> double probeError(const CheckArguments &arguments, double &norm) {
  using Value = Accumulator<T>;
  const ProblemMatrix &A = arguments.matrix(0);
  const bool upper = A.parameter->shape == Shape::Upper;
  const Operand<T> original = Operand<T>::original(A, Part::All), factor = factorOf<T>(A);
  const Vectors<Value> X = probeVectors<Value>(A.extent.rows);

  Product<T> AX(original, Form::Hermitian, X);
  AX.run(arguments.executor);
  Product<T> inner(factor, upper ? Form::Plain : Form::ConjTrans, X);
  inner.run(arguments.executor);
  Product<T> outer(factor, upper ? Form::ConjTrans : Form::Plain, inner.result());
  outer.run(arguments.executor);

  norm = largest(AX.rowSums());
  std::vector<Value> &error = AX.result().values;
  for (std::size_t i = 0; i < error.size(); ++i)
    error[i] -= outer.result().values[i];
  return largest(error.data(), static_cast<long>(error.size()));
}

/// |L L^H - A| and |A|.
template <typename T> double fullError(const CheckArguments &arguments, double &norm) {
  using Value = Accumulator<T>;
  const ProblemMatrix &A = arguments.matrix(0);
  const bool upper = A.parameter->shape == Shape::Upper;
  const Operand<T> original = Operand<T>::original(A, Part::All), factor = factorOf<T>(A);
  const Factor<T> left(factor, upper ? Op::ConjTrans : Op::NoTrans), right(factor, upper ? Op::NoTrans : Op::ConjTrans);

  const int mt = original.mt();
  ColumnSums errors(mt, original.n()), sizes(mt, original.n());
  forEachPair(arguments.executor, mt, mt, true, [&](int i, int j) {
    const int rows = original.tileRows(i), columns = original.tileCols(j);
    const long row = static_cast<long>(i) * original.nb(), column = static_cast<long>(j) * original.nb();
    std::vector<Value> error, tile;
    productTile(left, right, i, j, error);
    original.read(i, j, tile);
    for (std::size_t e = 0; e < error.size(); ++e)
      error[e] -= tile[e];
    errors.addTile(i, column, rows, columns, error);
    sizes.addTile(i, column, rows, columns, tile);
    if (i != j) {
      errors.addMirrored(j, row, rows, columns, error);
      sizes.addMirrored(j, row, rows, columns, tile);
    }
  });
  norm = largest(sizes.totals());
  return largest(errors.totals());
}

/// Zero on the diagonal.
template <typename T> bool singular(const Operand<T> &factor) {
  std::vector<Accumulator<T>> tile;
  for (int k = 0; k < factor.mt(); ++k) {
    factor.read(k, k, tile);
    const int rows = factor.tileRows(k);
    for (int i = 0; i < rows; ++i)
      if (tile[static_cast<std::size_t>(i) * (rows + 1)] == Accumulator<T>(0))
        return true;
  }
  return false;
}
} // namespace

template <typename T> double residualOfLlt(const CheckArguments &arguments) {
  const ProblemMatrix &A = arguments.matrix(0);
  if (singular(factorOf<T>(A)))
    return std::numeric_limits<double>::infinity();
  double norm = 0;
  const double error =
      arguments.mode == CheckMode::Full ? fullError<T>(arguments, norm) : probeError<T>(arguments, norm);
  return ratio(error, static_cast<double>(A.extent.rows) * norm * unitRoundoff(A.parameter->type));
}

template double residualOfLlt<float>(const CheckArguments &);
template double residualOfLlt<double>(const CheckArguments &);
template double residualOfLlt<std::complex<float>>(const CheckArguments &);
template double residualOfLlt<std::complex<double>>(const CheckArguments &);

} // namespace tla::bootstrap
