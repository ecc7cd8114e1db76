#include "runtime/host/problem/generators/conditioned.hpp"

#include "runtime/host/base/random.hpp"
#include "runtime/host/problem/generators/generated_source.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace tla::host {
namespace {

template <typename Value> std::vector<Value> unitVector(long length, std::uint64_t key) {
  std::vector<Value> x(static_cast<std::size_t>(length));
  double square = 0;
  for (long i = 0; i < length; ++i) {
    x[i] = randomElement<Value>(key, i, 0);
    square += std::norm(x[i]);
  }
  for (Value &value : x)
    value /= std::sqrt(square);
  return x;
}

template <typename Value> struct Factors {
  Spectrum spectrum;
  std::vector<Value> u, v;
  std::vector<double> d; // zeros where the other dimension has ended
  Value product{};       // u^H D v

  Factors(Spectrum kind, double condition, long rows, long columns, std::uint64_t key)
      : spectrum(kind), u(unitVector<Value>(rows, randomBits(key, 0))),
        v(kind == Spectrum::Singular ? unitVector<Value>(columns, randomBits(key, 1)) : u),
        d(static_cast<std::size_t>(std::max(rows, columns))) {
    const long count = std::min(rows, columns);
    for (long k = 0; k < count; ++k) {
      d[k] = count == 1 ? 1 : std::pow(condition, -static_cast<double>(k) / static_cast<double>(count - 1));
      if (kind == Spectrum::Alternating && k % 2 == 1)
        d[k] = -d[k];
      product += conjugate(u[k]) * d[k] * v[k];
    }
  }

  Value at(long i, long j) const {
    if (spectrum == Spectrum::Singular)
      return plain(i, j);
    if (i == j)
      return std::real(plain(i, i));
    return i > j ? plain(i, j) : conjugate(plain(j, i)); // mirrored to the last bit
  }

private:
  Value plain(long i, long j) const {
    return (i == j ? Value(d[i]) : Value(0)) - 2.0 * d[j] * (u[i] * conjugate(u[j < rowCount() ? j : 0])) -
           2.0 * d[i] * (v[i < columnCount() ? i : 0] * conjugate(v[j])) + 4.0 * u[i] * product * conjugate(v[j]);
  }
  long rowCount() const { return static_cast<long>(u.size()); }
  long columnCount() const { return static_cast<long>(v.size()); }
};

template <typename Value> struct Conditioned {
  std::shared_ptr<const Factors<Value>> factors;

  template <typename T> auto column(long j) const {
    return [f = factors.get(), j](long i) -> T {
      if constexpr (isComplex<Value> == isComplex<T>)
        return T(f->at(i, j));
      else
        return T(); // another type than the matrix has
    };
  }
};

template <typename Value>
std::unique_ptr<MatrixSource> make(std::string text, Spectrum spectrum, double condition, long rows, long columns,
                                   std::uint64_t key) {
  return makeGenerated(std::move(text), Conditioned<Value>{std::make_shared<const Factors<Value>>(spectrum, condition,
                                                                                                  rows, columns, key)});
}
} // namespace

std::unique_ptr<MatrixSource> makeConditioned(std::string text, Spectrum spectrum, double condition, ElementType type,
                                              long rows, long columns, std::uint64_t key) {
  return isComplexType(type) ? make<std::complex<double>>(std::move(text), spectrum, condition, rows, columns, key)
                             : make<double>(std::move(text), spectrum, condition, rows, columns, key);
}

} // namespace tla::host
