#include "runtime/host/check/residuals.hpp"

namespace tla::host {
namespace {

/// C = alpha P Q + beta C0, where C0 may be absent.
template <typename T> struct ProductFormula {
  using Value = Accumulator<T>;
  Value alpha;
  Factor<T> P, Q;
  Value beta;
  std::optional<Factor<T>> before;
  Factor<T> C;

  /// |C - (alpha P Q + beta C0)| / ((sqrt(k + 2) |alpha| |P| |Q| + 2 |beta| |C0|) eps)
  double residual(const CheckArguments &arguments) {
    using Real = RealOf<T>;
    if (beta == Value(0))
      before.reset(); // BLAS does not read C then
    const Real error = arguments.errorNorm<T>(C.rows(), C.columns(), [&](const Vectors<Value> &X) {
      Vectors<Value> E = C.adjoint(X);
      add(E, -conjugate(alpha), adjointOf(X, P, Q));
      if (before)
        add(E, -conjugate(beta), before->adjoint(X));
      return E;
    });
    const Real products = std::sqrt(static_cast<double>(P.columns()) + 2) * magnitude(alpha) * P.norm() * Q.norm();
    const Real summand = before ? 2 * magnitude(beta) * before->norm() : 0;
    return arguments.ratio<T>(error, (products + summand) * arguments.eps());
  }
};

template <typename T> Factor<T> originalFactor(const CheckArguments &arguments, int position, Op op = Op::NoTrans) {
  return arguments.factor(Operand<T>::original(arguments.matrix(position), Part::All), op);
}
template <typename T> Factor<T> resultFactor(const CheckArguments &arguments, int position) {
  return arguments.factor(Operand<T>::result(arguments.matrix(position), Part::All));
}

/// symm(side, uplo, alpha, A, B, beta, C)
template <typename T> double residualOfMirroredProduct(const CheckArguments &arguments, Mirror mirror) {
  const Part part = partOf(arguments.option<Uplo>(1));
  const Factor<T> A = arguments.factor(Operand<T>::original(arguments.matrix(3), part).mirrored(mirror)),
                  B = originalFactor<T>(arguments, 4);
  const bool left = arguments.option<Side>(0) == Side::Left;
  return ProductFormula<T>{
      arguments.number<T>(2),       left ? A : B, left ? B : A, arguments.number<T>(5), originalFactor<T>(arguments, 6),
      resultFactor<T>(arguments, 6)}
      .residual(arguments);
}

/// syrk(uplo, op, alpha, A, beta, C)
template <typename T> double residualOfRankUpdate(const CheckArguments &arguments, Mirror mirror) {
  const Part part = partOf(arguments.option<Uplo>(0));
  const Op transposed = mirror == Mirror::Symmetric ? Op::Trans : Op::ConjTrans;
  const bool plain = arguments.option<Op>(1) == Op::NoTrans;
  const ProblemMatrix &C = arguments.matrix(5);
  return ProductFormula<T>{arguments.number<T>(2),
                           originalFactor<T>(arguments, 3, plain ? Op::NoTrans : transposed),
                           originalFactor<T>(arguments, 3, plain ? transposed : Op::NoTrans),
                           arguments.number<T>(4),
                           arguments.factor(Operand<T>::original(C, part).mirrored(mirror)),
                           arguments.factor(Operand<T>::result(C, part).mirrored(mirror))}
      .residual(arguments);
}
} // namespace

template <typename T> double residualOfGemm(const CheckArguments &arguments) {
  return ProductFormula<T>{arguments.number<T>(2),
                           originalFactor<T>(arguments, 3, arguments.option<Op>(0)),
                           originalFactor<T>(arguments, 4, arguments.option<Op>(1)),
                           arguments.number<T>(5),
                           originalFactor<T>(arguments, 6),
                           resultFactor<T>(arguments, 6)}
      .residual(arguments);
}

template <typename T> double residualOfSymm(const CheckArguments &arguments) {
  return residualOfMirroredProduct<T>(arguments, Mirror::Symmetric);
}
template <typename T> double residualOfHemm(const CheckArguments &arguments) {
  return residualOfMirroredProduct<T>(arguments, Mirror::Hermitian);
}
template <typename T> double residualOfSyrk(const CheckArguments &arguments) {
  return residualOfRankUpdate<T>(arguments, Mirror::Symmetric);
}
template <typename T> double residualOfHerk(const CheckArguments &arguments) {
  return residualOfRankUpdate<T>(arguments, Mirror::Hermitian);
}

template <typename T> double residualOfTrmm(const CheckArguments &arguments) {
  const Part part = partOf(arguments.option<Uplo>(1), arguments.option<Diag>(3));
  const Factor<T> A = arguments.factor(Operand<T>::original(arguments.matrix(5), part), arguments.option<Op>(2)),
                  B = originalFactor<T>(arguments, 6);
  const bool left = arguments.option<Side>(0) == Side::Left;
  return ProductFormula<T>{arguments.number<T>(4), left ? A : B, left ? B : A,
                           Accumulator<T>(0),      std::nullopt, resultFactor<T>(arguments, 6)}
      .residual(arguments);
}

template <typename T> double residualOfLauum(const CheckArguments &arguments) {
  using Value = Accumulator<T>;
  const Part part = partOf(arguments.option<Uplo>(0));
  const bool upper = part == Part::Upper;
  const ProblemMatrix &A = arguments.matrix(1);
  const Operand<T> triangle = Operand<T>::original(A, part);
  Factor<T> left = arguments.factor(triangle, upper ? Op::NoTrans : Op::ConjTrans),
            right = arguments.factor(triangle, upper ? Op::ConjTrans : Op::NoTrans),
            product = arguments.factor(Operand<T>::result(A, part).mirrored(Mirror::Hermitian));
  const RealOf<T> error = arguments.errorNorm<T>(product.rows(), product.columns(), [&](const Vectors<Value> &X) {
    Vectors<Value> E = product.adjoint(X);
    subtract(E, adjointOf(X, left, right));
    return E;
  });
  return arguments.ratio<T>(error, product.rows() * product.norm() * arguments.eps());
}

TLA_INSTANTIATE_RESIDUAL(residualOfGemm)
TLA_INSTANTIATE_RESIDUAL(residualOfSymm)
TLA_INSTANTIATE_RESIDUAL(residualOfHemm)
TLA_INSTANTIATE_RESIDUAL(residualOfSyrk)
TLA_INSTANTIATE_RESIDUAL(residualOfHerk)
TLA_INSTANTIATE_RESIDUAL(residualOfTrmm)
TLA_INSTANTIATE_RESIDUAL(residualOfLauum)

} // namespace tla::host
