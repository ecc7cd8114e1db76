// What the formulas of checks are made of: matrices as factors, and the columns of an error that is known by its
// adjoint.
#pragma once

#include "runtime/host/check/check.hpp"
#include "runtime/host/check/products.hpp"

#include <optional>

namespace tla::host {

template <typename Value> void conjugateAll(Vectors<Value> &X) {
  for (Value &value : X.values)
    value = conjugate(value);
}
/// X += scale Y
template <typename Value> void add(Vectors<Value> &X, Value scale, const Vectors<Value> &Y) {
  for (std::size_t i = 0; i < X.values.size(); ++i)
    X.values[i] += scale * Y.values[i];
}
template <typename Value> void subtract(Vectors<Value> &X, const Vectors<Value> &Y) { add(X, Value(-1), Y); }
/// The leading elements of each vector, zeros after them.
template <typename Value> Vectors<Value> resized(const Vectors<Value> &X, long length) {
  Vectors<Value> result(length, X.count);
  for (int v = 0; v < X.count; ++v)
    std::copy_n(X.column(v), std::min(X.length, length), result.column(v));
  return result;
}
/// Columns first .. first + count - 1 of the identity.
template <typename Value> Vectors<Value> unitVectors(long length, long first, int count) {
  Vectors<Value> result(length, count);
  for (int v = 0; v < count; ++v)
    result.column(v)[first + v] = Value(1);
  return result;
}

/// op(A), where a Hermitian or symmetric A takes NoTrans only.
template <typename T> class Factor {
public:
  using Value = Accumulator<T>;
  using Real = RealOf<T>;

  Factor(const Operand<T> &A, Op op, const Team &team, NumberRange &range)
      : A_(A), op_(op), team_(team), range_(&range) {}

  long rows() const { return op_ == Op::NoTrans ? A_.m() : A_.n(); }
  long columns() const { return op_ == Op::NoTrans ? A_.n() : A_.m(); }

  /// op(A)^H X. With A^H from ConjTrans, A^T X is computed as conj(A^H conj(X)), and so on.
  Vectors<Value> adjoint(Vectors<Value> X) {
    const bool conjugated = op_ == Op::Trans || A_.mirror() == Mirror::Symmetric;
    if (conjugated)
      conjugateAll(X);
    using Sums = typename Product<T>::Sums;
    Product<T> product(A_, form(), std::move(X), columnSums_ ? Sums::None : Sums::Wanted);
    product.run(team_);
    if (!columnSums_) {
      columnSums_ = product.rowSums();
      range_->seeNorm(largest(*columnSums_), A_.isOriginal());
    }
    if (conjugated)
      conjugateAll(product.result());
    return std::move(product.result());
  }
  /// |op(A)|^H X
  Vectors<Value> absoluteAdjoint(Vectors<Value> X) const {
    Product<T> product(A_, form(), std::move(X), Product<T>::Sums::None);
    product.useAbsolute();
    product.run(team_);
    return std::move(product.result());
  }
  /// Sums of absolute values over the columns of op(A): known from the first product with it.
  const std::vector<Real> &columnSums() {
    if (!columnSums_)
      adjoint(Vectors<Value>(rows(), 0));
    return *columnSums_;
  }
  /// The 1-norm.
  Real norm() { return largest(columnSums()); }

private:
  Form form() const {
    if (A_.mirror() != Mirror::None)
      return A_.mirror() == Mirror::Hermitian ? Form::Hermitian : Form::Symmetric;
    return op_ == Op::NoTrans ? Form::ConjTrans : Form::Plain;
  }

  Operand<T> A_;
  Op op_;
  Team team_;
  NumberRange *range_;
  std::optional<std::vector<Real>> columnSums_;
};

/// (F1 F2 ...)^H X
template <typename Value, typename... Factors> Vectors<Value> adjointOf(Vectors<Value> X, Factors &...factors) {
  ((X = factors.adjoint(std::move(X))), ...);
  return X;
}

/// The 1-norm of |F| |G|: at least that of F G.
template <typename T> RealOf<T> normOfAbsoluteProduct(const Factor<T> &F, const Factor<T> &G) {
  Vectors<Accumulator<T>> ones(F.rows(), 1);
  std::fill(ones.values.begin(), ones.values.end(), Accumulator<T>(1));
  const Vectors<Accumulator<T>> sums = G.absoluteAdjoint(F.absoluteAdjoint(std::move(ones)));
  return largest(sums.column(0), sums.length);
}

/// The columns of an error E, rows x columns, of which `adjoint(X)` gives E^H X: for each the sum of its absolute
/// values (Full), or a lower estimate of it from a few probes (Probe), see check.hpp.
template <typename Value, typename Adjoint>
std::vector<RealType<Value>> columnErrors(CheckMode mode, long rows, long columns, Adjoint &&adjoint) {
  using Real = RealType<Value>;
  constexpr long fullWidth = 256; // vectors at a time
  std::vector<Real> errors(static_cast<std::size_t>(columns));
  const auto each = [&](const Vectors<Value> &Y, auto &&take) {
    for (int v = 0; v < Y.count; ++v)
      for (std::size_t j = 0; j < errors.size(); ++j)
        take(errors[j], magnitude(Y.column(v)[j]));
  };
  if (mode == CheckMode::Probe)
    each(adjoint(probeVectors<Value>(rows)), [](Real &error, Real size) { error = maxOrNan(size, error); });
  for (long first = 0; mode == CheckMode::Full && first < rows; first += fullWidth) {
    pollInterruption();
    each(adjoint(unitVectors<Value>(rows, first, static_cast<int>(std::min(fullWidth, rows - first)))),
         [](Real &error, Real size) { error += size; });
  }
  return errors;
}

} // namespace tla::host
