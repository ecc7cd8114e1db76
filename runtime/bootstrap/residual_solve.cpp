#include "runtime/bootstrap/dense_error.hpp"
#include "runtime/bootstrap/residuals.hpp"

#include <limits>

namespace tla::bootstrap {
namespace {

/// Vectors read as a matrix of tiles: the inner factor of L (L^H X).
template <typename Value> struct TiledVectors {
  const Vectors<Value> &vectors;
  const Storage &tiling; ///< of the matrix whose shape the vectors have
  int tileCols(int j) const { return tiling.tileCols(j); }
  bool nonZero(int, int) const { return true; }
  void read(int i, int j, std::vector<Value> &tile) const {
    const int rows = tiling.tileRows(i);
    tile.resize(static_cast<std::size_t>(rows) * tileCols(j));
    for (int c = 0; c < tileCols(j); ++c)
      std::copy_n(vectors.column(j * tiling.nb() + c) + static_cast<long>(i) * tiling.mb(), rows,
                  tile.data() + static_cast<std::size_t>(c) * rows);
  }
};

/// max over columns j of errors[j] / (norm |x_j| eps).
double worstColumn(const std::vector<double> &errors, const std::vector<double> &solutionNorms, double norm,
                   double eps) {
  double worst = 0;
  for (std::size_t j = 0; j < errors.size(); ++j)
    worst = maxOrNan(ratio(errors[j], norm * solutionNorms[j] * eps), worst);
  return worst;
}

/// Norms of the columns of X, the solution.
template <typename T> std::vector<double> columnNorms(const Operand<T> &X, runtime::Executor &executor) {
  Product<T> product(X, Form::ConjTrans, Vectors<Accumulator<T>>(X.m(), 0));
  product.run(executor);
  return product.rowSums();
}

/// |x^H (b_j - A x_j)| for every column j and the worst probe x, given W = A x: lower estimates of |b_j - A x_j|.
template <typename T>
std::vector<double> probeErrors(const ProblemMatrix &B, const Vectors<Accumulator<T>> &X,
                                const Vectors<Accumulator<T>> &W, runtime::Executor &executor) {
  const Operand<T> right = Operand<T>::original(B, Part::All), solution = Operand<T>::result(B, Part::All);
  Product<T> ofRight(right, Form::ConjTrans, X), ofSolution(solution, Form::ConjTrans, W);
  ofRight.run(executor);
  ofSolution.run(executor);
  std::vector<double> errors(static_cast<std::size_t>(B.extent.columns));
  for (int v = 0; v < X.count; ++v)
    for (std::size_t j = 0; j < errors.size(); ++j)
      errors[j] = maxOrNan(magnitude(ofRight.result().column(v)[j] - ofSolution.result().column(v)[j]), errors[j]);
  return errors;
}

/// Norms of the columns of B - P Q.
template <typename T, typename Left, typename Right>
std::vector<double> fullErrors(const ProblemMatrix &B, const Left &P, const Right &Q, runtime::Executor &executor) {
  using Value = Accumulator<T>;
  const Operand<T> right = Operand<T>::original(B, Part::All);
  ColumnSums errors(right.mt(), right.n());
  forEachPair(executor, right.mt(), right.nt(), false, [&](int i, int j) {
    std::vector<Value> error, tile;
    productTile(P, Q, i, j, error);
    right.read(i, j, tile);
    for (std::size_t e = 0; e < error.size(); ++e)
      error[e] -= tile[e];
    errors.addTile(i, static_cast<long>(j) * right.nb(), right.tileRows(i), right.tileCols(j), error);
  });
  return errors.totals();
}

/// L^H X, or U X for an upper factor.
template <typename T>
Vectors<Accumulator<T>> innerProduct(const Operand<T> &factor, bool upper, const ProblemMatrix &B,
                                     runtime::Executor &executor) {
  using Value = Accumulator<T>;
  const Operand<T> X = Operand<T>::result(B, Part::All);
  const Factor<T> left(factor, upper ? Op::NoTrans : Op::ConjTrans), right(X, Op::NoTrans);
  Vectors<Value> product(X.m(), X.n());
  forEachPair(executor, X.mt(), X.nt(), false, [&](int i, int j) {
    std::vector<Value> tile;
    productTile(left, right, i, j, tile);
    for (int c = 0; c < X.tileCols(j); ++c)
      std::copy_n(tile.data() + static_cast<std::size_t>(c) * X.tileRows(i), X.tileRows(i),
                  product.column(j * X.nb() + c) + static_cast<long>(i) * X.nb());
  });
  return product;
}
} // namespace

template <typename T> double residualOfSolve(const CheckArguments &arguments) {
  using Value = Accumulator<T>;
  const ProblemMatrix &A = arguments.matrix(0), &B = arguments.matrix(1);
  const bool hermitian = A.parameter->shape != Shape::General;
  const Operand<T> matrix = Operand<T>::original(A, Part::All), solution = Operand<T>::result(B, Part::All);
  // A^H x: its row sums are the column sums of A.
  const Vectors<Value> X = probeVectors<Value>(A.extent.rows);
  Product<T> AX(matrix, hermitian ? Form::Hermitian : Form::ConjTrans, X);
  AX.run(arguments.executor);
  const double norm = largest(AX.rowSums());
  if (norm == 0 && A.extent.rows > 0)
    return std::numeric_limits<double>::infinity(); // no X solves it, or any does
  const std::vector<double> errors =
      arguments.mode == CheckMode::Full
          ? fullErrors<T>(B, Factor<T>(matrix, Op::NoTrans), Factor<T>(solution, Op::NoTrans), arguments.executor)
          : probeErrors<T>(B, X, AX.result(), arguments.executor);
  return worstColumn(errors, columnNorms(solution, arguments.executor), norm, unitRoundoff(A.parameter->type));
}

template <typename T> double residualOfPotrs(const CheckArguments &arguments) {
  using Value = Accumulator<T>;
  runtime::Executor &executor = arguments.executor;
  const ProblemMatrix &L = arguments.matrix(0), &B = arguments.matrix(1);
  const bool upper = L.parameter->shape == Shape::Upper;
  const Form outer = upper ? Form::ConjTrans : Form::Plain, inner = upper ? Form::Plain : Form::ConjTrans;
  const Operand<T> factor = Operand<T>::original(L, upper ? Part::Upper : Part::Lower);

  // |L| |L|^H e: the row sums of |L| |L|^H.
  Vectors<Value> ones(L.extent.rows, 1);
  std::fill(ones.values.begin(), ones.values.end(), Value(1));
  Product<T> innerSums(factor, inner, ones, true);
  innerSums.run(executor);
  Product<T> outerSums(factor, outer, innerSums.result(), true);
  outerSums.run(executor);
  const double norm = largest(outerSums.result().column(0), L.extent.rows);

  std::vector<double> errors;
  if (arguments.mode == CheckMode::Full) {
    const Vectors<Value> product = innerProduct(factor, upper, B, executor);
    errors = fullErrors<T>(B, Factor<T>(factor, upper ? Op::ConjTrans : Op::NoTrans),
                           TiledVectors<Value>{product, **B.storage}, executor);
  } else {
    const Vectors<Value> X = probeVectors<Value>(L.extent.rows);
    Product<T> first(factor, inner, X);
    first.run(executor);
    Product<T> second(factor, outer, first.result());
    second.run(executor);
    errors = probeErrors<T>(B, X, second.result(), executor);
  }
  return worstColumn(errors, columnNorms(Operand<T>::result(B, Part::All), executor), norm,
                     unitRoundoff(L.parameter->type));
}

#define TLA_INSTANTIATE(T)                                                                                             \
  template double residualOfSolve<T>(const CheckArguments &);                                                          \
  template double residualOfPotrs<T>(const CheckArguments &);
TLA_INSTANTIATE(float)
TLA_INSTANTIATE(double)
TLA_INSTANTIATE(std::complex<float>)
TLA_INSTANTIATE(std::complex<double>)
#undef TLA_INSTANTIATE

} // namespace tla::bootstrap
