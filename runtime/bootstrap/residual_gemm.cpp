#include "runtime/bootstrap/dense_error.hpp"
#include "runtime/bootstrap/residuals.hpp"
#include "runtime/bootstrap/scalars.hpp"

namespace tla::bootstrap {
namespace {

/// op(A)^H X. For op = Trans, conj(A) X is computed as conj(A conj(X)).
template <typename T>
Vectors<Accumulator<T>> timesConjTransOf(const Operand<T> &A, Op op, Vectors<Accumulator<T>> X,
                                         runtime::Executor &executor, double &norm) {
  const auto conjugateAll = [](auto &values) {
    for (auto &value : values)
      value = conjugate(value);
  };
  if (op == Op::Trans)
    conjugateAll(X.values);
  Product<T> product(A, op == Op::NoTrans ? Form::ConjTrans : Form::Plain, X);
  product.run(executor);
  norm = largest(product.rowSums()); // the sums over the columns of op(A)
  if (op == Op::Trans)
    conjugateAll(product.result().values);
  return std::move(product.result());
}

/// What the gemm check is about, by position in gemm(opA, opB, alpha, A, B, beta, C).
template <typename T> struct Gemm {
  using Value = Accumulator<T>;

  explicit Gemm(const CheckArguments &arguments)
      : executor(arguments.executor), opA(op(arguments, 0)), opB(op(arguments, 1)), alpha(number(arguments, 2)),
        beta(number(arguments, 5)), A(Operand<T>::original(arguments.matrix(3), Part::All)),
        B(Operand<T>::original(arguments.matrix(4), Part::All)), C(Operand<T>::result(arguments.matrix(6), Part::All)),
        C0(Operand<T>::original(arguments.matrix(6), Part::All)), depth(opA == Op::NoTrans ? A.n() : A.m()) {}

  static Op op(const CheckArguments &arguments, int position) {
    const int index = findScalar(*arguments.problem.algorithm, arguments.name(position));
    return static_cast<Op>(arguments.problem.scalars[index].integer);
  }
  static Value number(const CheckArguments &arguments, int position) {
    return Value(fromComplex<T>(arguments.problem.number(arguments.name(position)))); // rounded as the program's own
  }

  double probeError() {
    const Vectors<Value> X = probeVectors<Value>(C.m());
    Product<T> ofC(C, Form::ConjTrans, X), ofC0(C0, Form::ConjTrans, X);
    ofC.run(executor);
    ofC0.run(executor);
    normC0 = largest(ofC0.rowSums());
    const Vectors<Value> product =
        timesConjTransOf(B, opB, timesConjTransOf(A, opA, X, executor, normA), executor, normB);
    std::vector<Value> &error = ofC.result().values;
    for (std::size_t i = 0; i < error.size(); ++i)
      error[i] -= conjugate(alpha) * product.values[i] + scaled(conjugate(beta), ofC0.result().values[i]);
    return largest(error.data(), static_cast<long>(error.size()));
  }

  double fullError() {
    computeNorms();
    const Factor<T> left(A, opA), right(B, opB);
    ColumnSums errors(C.mt(), C.n());
    forEachPair(executor, C.mt(), C.nt(), false, [&](int i, int j) {
      std::vector<Value> error, tile, before;
      productTile(left, right, i, j, error);
      C.read(i, j, tile);
      C0.read(i, j, before);
      for (std::size_t e = 0; e < error.size(); ++e)
        error[e] = tile[e] - alpha * error[e] - scaled(beta, before[e]);
      errors.addTile(i, static_cast<long>(j) * C.nb(), C.tileRows(i), C.tileCols(j), error);
    });
    return largest(errors.totals());
  }

  double scale() const {
    return std::sqrt(depth + 2.0) * magnitude(alpha) * normA * normB + 2 * magnitude(beta) * normC0;
  }

private:
  void computeNorms() {
    timesConjTransOf(A, opA, Vectors<Value>(opA == Op::NoTrans ? A.m() : A.n(), 0), executor, normA);
    timesConjTransOf(B, opB, Vectors<Value>(opB == Op::NoTrans ? B.m() : B.n(), 0), executor, normB);
    timesConjTransOf(C0, Op::NoTrans, Vectors<Value>(C.m(), 0), executor, normC0);
  }
  /// BLAS does not read C when beta is zero.
  static Value scaled(Value beta, Value c) { return beta == 0.0 ? Value(0) : beta * c; }

  runtime::Executor &executor;
  Op opA, opB;
  Value alpha, beta;
  Operand<T> A, B, C, C0;
  int depth;
  double normA = 0, normB = 0, normC0 = 0;
};
} // namespace

template <typename T> double residualOfGemm(const CheckArguments &arguments) {
  Gemm<T> gemm(arguments);
  const double error = arguments.mode == CheckMode::Full ? gemm.fullError() : gemm.probeError();
  return ratio(error, gemm.scale() * unitRoundoff(arguments.matrix(6).parameter->type));
}

template double residualOfGemm<float>(const CheckArguments &);
template double residualOfGemm<double>(const CheckArguments &);
template double residualOfGemm<std::complex<float>>(const CheckArguments &);
template double residualOfGemm<std::complex<double>>(const CheckArguments &);

} // namespace tla::bootstrap
