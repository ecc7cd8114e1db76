// Products of an operand with a few vectors: the O(n^2) work of checks.
#pragma once

#include "runtime/host/base/random.hpp"
#include "runtime/host/check/operand.hpp"
#include "runtime/host/ranks/parallel.hpp"

#include <cmath>

namespace tla::host {

/// `count` vectors of `length` elements, one after the other.
template <typename Value> struct Vectors {
  Vectors(long length, int count) : length(length), count(count), values(static_cast<std::size_t>(length) * count) {}
  Value *column(int v) { return values.data() + static_cast<std::size_t>(v) * length; }
  const Value *column(int v) const { return values.data() + static_cast<std::size_t>(v) * length; }
  long length;
  int count;
  std::vector<Value> values;
};

/// How a product reads its matrix.
enum class Form {
  Plain,     ///< A
  ConjTrans, ///< A^H
  Hermitian, ///< A = A^H, of which the tiles with i >= j are read
  Symmetric, ///< A = A^T, likewise
};

/// max(a, b) that keeps a NaN.
template <typename Real> Real maxOrNan(Real a, Real b) { return a > b || std::isnan(a) ? a : b; }

/// |a|, without the scaling of std::abs: the arithmetic of a check has the range for it (NumberRange).
template <typename Value> RealType<Value> magnitude(Value a) {
  if constexpr (isComplex<Value>)
    return std::sqrt(a.real() * a.real() + a.imag() * a.imag());
  else
    return std::abs(a);
}
template <typename Value> RealType<Value> largest(const Value *values, long length) {
  RealType<Value> result = 0;
  for (long i = 0; i < length; ++i)
    result = maxOrNan(magnitude(values[i]), result);
  return result;
}
template <typename Value> RealType<Value> largest(const std::vector<Value> &values) {
  return largest(values.data(), static_cast<long>(values.size()));
}

/// Fixed vectors of entries +-1 (the matrix under test must not be able to know them, so they are random).
template <typename Value> Vectors<Value> probeVectors(long length) {
  constexpr int count = 2;
  constexpr std::uint64_t key = streamKey(0, "probe");
  Vectors<Value> vectors(length, count);
  for (int v = 0; v < count; ++v)
    for (long i = 0; i < length; ++i)
      vectors.column(v)[i] = randomBits(key, static_cast<std::uint64_t>(i) * count + v) >> 63 ? 1.0 : -1.0;
  return vectors;
}

/// Y = form(A) X and, if asked, the sums of absolute values over each row of form(A). X and Y are whole on every rank,
/// A is spread over them: here, and nowhere else in a check, what each rank's tiles contribute is added up. The same on
/// any number of threads, and on all ranks.
template <typename T> class Product {
public:
  using Value = Accumulator<T>;
  using Real = RealOf<T>;
  enum class Sums { Wanted, None };

  Product(const Operand<T> &A, Form form, Vectors<Value> X, Sums sums);
  /// |A| takes the place of A.
  void useAbsolute() { absolute_ = true; }
  void run(const Team &team);

  Vectors<Value> &result() { return Y_; }
  const std::vector<Real> &rowSums() const { return sums_; }

private:
  bool mirrored() const { return form_ == Form::Hermitian || form_ == Form::Symmetric; }
  /// Whether the tile meets nothing but zeros of X.
  bool meetsZeros(int i, int j) const;
  /// y_i += A_ij x_j and y_j += A_ij^H x_i (or A_ij^T x_i), as the form asks.
  void tile(int i, int j);
  void addSums(const Value *a, int rows, long row, long col, bool plain, bool transposed);

  Operand<T> A_;
  Form form_;
  Vectors<Value> X_;
  Vectors<Value> Y_;
  bool absolute_ = false;
  std::vector<Real> sums_; ///< empty: not wanted
};

extern template class Product<Fast<float>>;
extern template class Product<Fast<double>>;
extern template class Product<Fast<std::complex<float>>>;
extern template class Product<Fast<std::complex<double>>>;
extern template class Product<Wide<double>>;
extern template class Product<Wide<std::complex<double>>>;

} // namespace tla::host
