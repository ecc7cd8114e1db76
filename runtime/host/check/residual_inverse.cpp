#include "runtime/host/check/residuals.hpp"

namespace tla::host {
namespace {

/// A diagonal matrix of powers of two that makes the sums of a matrix's rows numbers from 1 to 2; by default the
/// identity. An inverse of D A C is C^-1 R D^-1 to the last bit, as long as nothing leaves the range, so that a
/// residual can be asked of either. Of a graded matrix, whose |A| |R| is huge, the plain one tells nothing: any R
/// passes.
template <typename T> class Diagonal {
public:
  using Real = RealOf<T>;
  Diagonal() = default;
  explicit Diagonal(const Vectors<Accumulator<T>> &sums) {
    for (const Accumulator<T> &sum : sums.values) {
      const Real size = magnitude(sum);
      values_.push_back(size > 0 && std::isfinite(size) ? std::ldexp(Real(1), -std::ilogb(size)) : Real(1));
    }
  }
  /// Whether it is far from a multiple of the identity. Then its numbers need Wide.
  bool isGraded(NumberRange &range) const {
    const auto [smallest, largest] = std::ranges::minmax_element(values_);
    if (values_.empty() || *largest < 1024 * *smallest)
      return false;
    range.left = true;
    return true;
  }
  Vectors<Accumulator<T>> times(Vectors<Accumulator<T>> X) const {
    return scaled(std::move(X), [](auto &x, Real value) { x *= value; });
  }
  Vectors<Accumulator<T>> inverseTimes(Vectors<Accumulator<T>> X) const {
    return scaled(std::move(X), [](auto &x, Real value) { x /= value; });
  }

private:
  template <typename Apply> Vectors<Accumulator<T>> scaled(Vectors<Accumulator<T>> X, Apply &&apply) const {
    for (int v = 0; v < X.count; ++v)
      for (std::size_t i = 0; i < values_.size(); ++i)
        apply(X.column(v)[i], values_[i]);
    return X;
  }
  std::vector<Real> values_;
};

template <typename T> Vectors<Accumulator<T>> onesOf(long length) {
  Vectors<Accumulator<T>> ones(length, 1);
  std::ranges::fill(ones.values, Accumulator<T>(1));
  return ones;
}
template <typename Value> RealType<Value> normOf(const Vectors<Value> &columnSums) {
  return largest(columnSums.values);
}

/// |E| for E = I - A R, or that of D E D^-1 for a diagonal D; `adjoint(X)` is (A R)^H X.
template <typename T, typename Adjoint>
RealOf<T> identityError(const CheckArguments &arguments, long n, Adjoint &&adjoint, const Diagonal<T> &D = {}) {
  using Value = Accumulator<T>;
  return arguments.errorNorm<T>(n, n, [&](const Vectors<Value> &X) {
    Vectors<Value> E = D.times(X);
    subtract(E, adjoint(E));
    return D.inverseTimes(std::move(E));
  });
}

/// |I - A R| / (n |A| |R| eps) for R = A^-1, both of the same part.
template <typename T> double inverseResidual(const CheckArguments &arguments, const ProblemMatrix &matrix, Part part) {
  Factor<T> A = arguments.factor(Operand<T>::original(matrix, part)),
            R = arguments.factor(Operand<T>::result(matrix, part));
  const RealOf<T> error = identityError<T>(arguments, A.rows(), [&](const auto &X) { return adjointOf(X, A, R); });
  return arguments.ratio<T>(error, A.rows() * A.norm() * R.norm() * arguments.eps());
}

/// The residual of a triangle A and its inverse R, and of D A C and C^-1 R D^-1 where A is graded.
template <typename T> double triangleResidual(const CheckArguments &arguments, const ProblemMatrix &matrix, Part part) {
  const Operand<T> before = Operand<T>::original(matrix, part);
  Factor<T> A = arguments.factor(before), R = arguments.factor(Operand<T>::result(matrix, part));
  const double plain = inverseResidual<T>(arguments, matrix, part);
  const Vectors<Accumulator<T>> ones = onesOf<T>(A.rows());
  const Diagonal<T> D(arguments.factor(before, Op::ConjTrans).absoluteAdjoint(ones));
  const Vectors<Accumulator<T>> columns = A.absoluteAdjoint(D.times(ones));
  const Diagonal<T> C(columns);
  if (!D.isGraded(arguments.range) && !C.isGraded(arguments.range))
    return plain;
  const RealOf<T> error = identityError<T>(
      arguments, A.rows(), [&](const auto &X) { return adjointOf(X, A, R); }, D);
  const RealOf<T> normA = normOf(C.times(columns)),
                  normR = normOf(D.inverseTimes(R.absoluteAdjoint(C.inverseTimes(ones))));
  return maxOrNan<RealOf<T>>(arguments.ratio<T>(error, A.rows() * normA * normR * arguments.eps()), plain);
}
} // namespace

template <typename T> double residualOfInverse(const CheckArguments &arguments) {
  return inverseResidual<T>(arguments, arguments.matrix(0), Part::All);
}

template <typename T> double residualOfTrtri(const CheckArguments &arguments) {
  return triangleResidual<T>(arguments, arguments.matrix(2),
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
  const auto product = [&](const auto &X) { return adjointOf(X, left, right, R); };
  const RealOf<T> error = identityError<T>(arguments, R.rows(), product), norm = normOfAbsoluteProduct(left, right);
  const double plain = arguments.ratio<T>(error, R.rows() * norm * R.norm() * arguments.eps());
  const Vectors<Accumulator<T>> ones = onesOf<T>(R.rows());
  const Diagonal<T> D(right.absoluteAdjoint(ones));
  if (!D.isGraded(arguments.range))
    return plain;
  const RealOf<T> normA = normOf(D.times(right.absoluteAdjoint(left.absoluteAdjoint(D.times(ones))))),
                  normR = normOf(D.inverseTimes(R.absoluteAdjoint(D.inverseTimes(ones)))),
                  graded = identityError<T>(arguments, R.rows(), product, D);
  return maxOrNan<RealOf<T>>(arguments.ratio<T>(graded, R.rows() * normA * normR * arguments.eps()), plain);
}

TLA_INSTANTIATE_RESIDUAL(residualOfTrtri)
TLA_INSTANTIATE_RESIDUAL(residualOfPotri)
TLA_INSTANTIATE_RESIDUAL(residualOfInverse)

} // namespace tla::host
