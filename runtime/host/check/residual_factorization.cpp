#include "runtime/host/check/residuals.hpp"

#include <limits>

namespace tla::host {
namespace {

/// |A - F| / (n |A| eps) for A as it was and a product F of factors; `adjoint(X)` is F^H X.
template <typename T, typename Adjoint>
double factorizationResidual(const CheckArguments &arguments, const Operand<T> &before, Adjoint &&adjoint) {
  Factor<T> A = arguments.factor(before);
  const RealOf<T> error = arguments.errorNorm<T>(A.rows(), A.columns(), [&](const Vectors<Accumulator<T>> &X) {
    Vectors<Accumulator<T>> E = A.adjoint(X);
    subtract(E, adjoint(X));
    return E;
  });
  return arguments.ratio<T>(error, A.columns() * A.norm() * arguments.eps());
}

template <typename T> Operand<T> hermitianOriginal(const ProblemMatrix &A) {
  return Operand<T>::original(A, Part::All).mirrored(Mirror::Hermitian);
}

/// The diagonal of a matrix, on every rank.
template <typename T> std::vector<Accumulator<T>> diagonalOf(const Operand<T> &A, Ranks &ranks) {
  std::vector<Accumulator<T>> diagonal(static_cast<std::size_t>(std::min(A.m(), A.n()))), tile;
  for (int k = 0; k < std::min(A.mt(), A.nt()); ++k)
    if (A.isHere(k, k)) {
      A.read(k, k, 0, A.tileCols(k), tile);
      for (int i = 0; i < std::min(A.tileRows(k), A.tileCols(k)); ++i)
        diagonal[static_cast<std::size_t>(k) * A.nb() + i] = tile[static_cast<std::size_t>(i) * (A.tileRows(k) + 1)];
    }
  ranks.sum(diagonal);
  return diagonal;
}

/// A column of integers, on every rank.
std::vector<double> integersOf(const ProblemMatrix &matrix, Ranks &ranks) {
  const Storage &storage = **matrix.storage;
  std::vector<double> values(static_cast<std::size_t>(storage.m()));
  for (int i = 0; i < storage.mt(); ++i)
    if (const auto *const tile = static_cast<const int *>(storage.tile(i, 0)))
      std::copy_n(tile, storage.tileRows(i), values.data() + static_cast<std::size_t>(i) * storage.mb());
  ranks.sum(values);
  return values;
}

/// X = P^T X by the interchanges in ipiv, as LAPACK's getrf did them. False when they name rows that do not exist.
template <typename Value> bool interchange(const std::vector<double> &ipiv, Vectors<Value> &X) {
  for (long i = 0; i < static_cast<long>(ipiv.size()); ++i) {
    const long row = static_cast<long>(ipiv[static_cast<std::size_t>(i)]) - 1;
    if (row < i || row >= X.length)
      return false;
    for (int v = 0; v < X.count; ++v)
      std::swap(X.column(v)[i], X.column(v)[row]);
  }
  return true;
}

/// |A - P L U| / (n |A| eps), where `permute(X)` makes P^T X of X and says whether it could.
template <typename T, typename Permute> double luResidual(const CheckArguments &arguments, Permute &&permute) {
  const ProblemMatrix &A = arguments.matrix(0);
  Factor<T> L = arguments.factor(Operand<T>::result(A, Part::UnitLower)),
            U = arguments.factor(Operand<T>::result(A, Part::Upper));
  bool permuted = true;
  const double residual =
      factorizationResidual<T>(arguments, Operand<T>::original(A, Part::All), [&](Vectors<Accumulator<T>> X) {
        permuted = permute(X) && permuted;
        // L has min(m, n) columns that are not zero, U as many such rows.
        return U.adjoint(resized(L.adjoint(std::move(X)), U.rows()));
      });
  return permuted ? residual : std::numeric_limits<double>::infinity();
}
} // namespace

template <typename T> double residualOfLlt(const CheckArguments &arguments) {
  const ProblemMatrix &A = arguments.matrix(0);
  const Operand<T> factor = Operand<T>::result(A, storedPart(A.parameter->shape));
  for (const Accumulator<T> element : diagonalOf(factor, arguments.team.ranks))
    if (element == Accumulator<T>(0))
      return std::numeric_limits<double>::infinity();
  const bool upper = A.parameter->shape == Shape::Upper;
  Factor<T> left = arguments.factor(factor, upper ? Op::ConjTrans : Op::NoTrans),
            right = arguments.factor(factor, upper ? Op::NoTrans : Op::ConjTrans);
  return factorizationResidual<T>(arguments, hermitianOriginal<T>(A),
                                  [&](Vectors<Accumulator<T>> X) { return adjointOf(std::move(X), left, right); });
}

template <typename T> double residualOfLdl(const CheckArguments &arguments) {
  const ProblemMatrix &A = arguments.matrix(0);
  const Operand<T> factor = Operand<T>::result(A, Part::UnitLower);
  const std::vector<Accumulator<T>> D = diagonalOf(Operand<T>::result(A, Part::Lower), arguments.team.ranks);
  arguments.range.seeNumber(largest(D));
  Factor<T> L = arguments.factor(factor), LH = arguments.factor(factor, Op::ConjTrans);
  return factorizationResidual<T>(arguments, hermitianOriginal<T>(A), [&](Vectors<Accumulator<T>> X) {
    X = L.adjoint(std::move(X));
    for (int v = 0; v < X.count; ++v)
      for (long i = 0; i < X.length; ++i)
        X.column(v)[i] *= conjugate(D[static_cast<std::size_t>(i)]);
    return LH.adjoint(std::move(X));
  });
}

template <typename T> double residualOfLu(const CheckArguments &arguments) {
  return luResidual<T>(arguments, [](auto &) { return true; });
}

template <typename T> double residualOfPlu(const CheckArguments &arguments) {
  const std::vector<double> ipiv = integersOf(arguments.matrix(1), arguments.team.ranks);
  return luResidual<T>(arguments, [&](auto &X) { return interchange(ipiv, X); });
}

TLA_INSTANTIATE_RESIDUAL(residualOfLlt)
TLA_INSTANTIATE_RESIDUAL(residualOfLdl)
TLA_INSTANTIATE_RESIDUAL(residualOfLu)
TLA_INSTANTIATE_RESIDUAL(residualOfPlu)

} // namespace tla::host
