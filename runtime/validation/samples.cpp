#include "runtime/validation/samples.hpp"

#include "dsl/base/text.hpp"
#include "runtime/validation/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace tla::runtime::validation {

namespace {

/// As the stand-alone program would make it, well conditioned. A random matrix has its large elements beside the
/// diagonal, so that a factorization has something to pivot.
struct Filling {
  std::string_view generator;
  long rows, cols;

  bool isZero(long i, long j) const {
    return generator == "zero" || (generator == "lower" && i < j) || (generator == "upper" && i > j) ||
           (generator == "identity" && i != j);
  }
  double added(long i, long j) const {
    const long large = generator == "random" || generator.empty() ? (j + 1) % std::max(rows, 1L) : j;
    return i == large ? 1 + 0.5 * static_cast<double>(std::min(rows, cols)) : 0;
  }
};

template <typename T> T randomValue(Random &random) {
  if constexpr (isComplex<T>) {
    const double real = random.number();
    return T(static_cast<RealType<T>>(real), static_cast<RealType<T>>(random.number()));
  } else if constexpr (std::is_same_v<T, int>)
    return static_cast<int>(random.between(0, 3));
  else
    return static_cast<T>(random.number());
}

/// A Hermitian matrix has the same number on both sides of the diagonal, and its diagonal is real.
template <typename T> T valueAt(const Filling &filling, std::uint64_t seed, long i, long j) {
  const bool hermitian = filling.generator == "spd" || filling.generator == "matern" ||
                         filling.generator == "hilbert" || filling.generator == "minij" ||
                         filling.generator == "hermitian" || filling.generator == "toeplitz";
  const bool swapped = hermitian && i < j;
  const long row = swapped ? j : i, column = swapped ? i : j;
  Random random(seed ^ (static_cast<std::uint64_t>(row) << 32) ^ static_cast<std::uint64_t>(column));
  T value = randomValue<T>(random);
  if constexpr (isComplex<T>)
    if (swapped || (i == j && filling.generator != "random"))
      value = i == j ? T(value.real()) : std::conj(value);
  if (filling.isZero(i, j))
    return T(0);
  if constexpr (std::is_same_v<T, int>) // LAPACK's ipiv, which kernels index by
    return filling.generator == "pivots" ? static_cast<int>(i + 1 + random.between(0, filling.rows - 1 - i)) : value;
  else
    return value + T(static_cast<RealType<T>>(filling.added(i, j)));
}

void fillByAuthor(Storage &storage, const MatrixParameter &parameter, std::uint64_t seed) {
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i)
      if (storage.stores(i, j))
        parameter.fill({parameter.type, storage.tile(i, j), static_cast<long>(i) * storage.mb(),
                        static_cast<long>(j) * storage.nb(), storage.tileRows(i), storage.tileCols(j), storage.ld(i)},
                       seed, parameter.generatorArguments);
}

void fill(Storage &storage, const MatrixParameter &parameter, std::uint64_t seed) {
  if (parameter.fill)
    return fillByAuthor(storage, parameter, seed);
  const bool namesNone = !parameter.generator || !*parameter.generator;
  const bool arePivots = namesNone && parameter.type == ElementType::I && !parameter.written;
  const Filling filling{arePivots ? "pivots" : namesNone ? "" : parameter.generator, storage.m(), storage.n()};
  withType(parameter.type, [&](auto zero) {
    using T = decltype(zero);
    for (long j = 0; j < storage.n(); ++j)
      for (long i = 0; i < storage.m(); ++i)
        if (storage.stores(static_cast<int>(i / storage.mb()), static_cast<int>(j / storage.nb())))
          element<T>(storage, i, j) = valueAt<T>(filling, seed, i, j);
  });
}

template <typename T> std::string textOf(T value) {
  if constexpr (isComplex<T>)
    return format("(%.9g,%.9g)", static_cast<double>(value.real()), static_cast<double>(value.imag()));
  else
    return format("%.9g", static_cast<double>(value));
}

/// The tolerance of a comparison, far above the rounding errors of well conditioned problems: an error of the program
/// shows in the first digits.
template <typename T> double tolerance() {
  return std::is_same_v<T, int> ? 0 : sizeof(RealType<T>) == sizeof(float) ? 1e-3 : 1e-9;
}

template <typename T> bool isNear(T a, T b, double tolerance) {
  const bool nanA = a != a, nanB = b != b;
  if (nanA || nanB)
    return nanA && nanB;
  return a == b || static_cast<double>(std::abs(a - b)) <= tolerance;
}

} // namespace

Sample::Sample(const Algorithm &algorithm, const SmallCall &call, bool cut) : scalars_(call.scalars.data()) {
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const MatrixParameter &parameter = algorithm.matrices[i];
    const auto storage =
        makeStorage(parameter, call, elementBytes(parameter.type), cut && parameter.cut ? call.cut : Cut());
    if (!storage) {
      exists_ = false;
      return;
    }
    (*storage)->allocate();
    fill(**storage, parameter, call.seed + static_cast<std::uint64_t>(i));
    pointers_.push_back(&**storage);
    storages_.push_back(*storage);
  }
}

std::size_t Sample::elements() const {
  std::size_t sum = 0;
  for (const StorageRef &storage : storages_)
    sum += static_cast<std::size_t>(storage->m()) * storage->n();
  return sum;
}

template <typename Visit> static void forEachElement(const Storage &storage, Visit visit) {
  for (long j = 0; j < storage.n(); ++j)
    for (long i = 0; i < storage.m(); ++i)
      if (hasElement(storage, i, j))
        visit(i, j);
}

bool isFinite(const Storage &storage, ElementType type) {
  return withType(type, [&](auto zero) {
    bool finite = true;
    forEachElement(storage, [&](long i, long j) {
      finite &= std::isfinite(static_cast<double>(std::abs(element<decltype(zero)>(storage, i, j))));
    });
    return finite;
  });
}

double largest(const Storage &storage, ElementType type) {
  return withType(type, [&](auto zero) {
    double result = 0;
    forEachElement(storage, [&](long i, long j) {
      result = std::max(result, static_cast<double>(std::abs(element<decltype(zero)>(storage, i, j))));
    });
    return result;
  });
}

std::optional<Deviation> deviation(const Storage &actual, const Storage &expected, ElementType type, double scale) {
  return withType(type, [&](auto zero) {
    using T = decltype(zero);
    std::optional<Deviation> found;
    forEachElement(expected, [&](long i, long j) {
      const T a = element<T>(actual, i, j), b = element<T>(expected, i, j);
      if (!found && !isNear(a, b, tolerance<T>() * scale))
        found = Deviation{i, j, textOf(a), textOf(b)};
    });
    return found;
  });
}

double distance(const Storage &actual, const Storage &expected, ElementType type) {
  return withType(type, [&](auto zero) {
    double result = 0;
    forEachElement(expected, [&](long i, long j) {
      const auto a = element<decltype(zero)>(actual, i, j), b = element<decltype(zero)>(expected, i, j);
      if (!isNear(a, b, 0))
        result = std::max(result, a != a || b != b ? HUGE_VAL : static_cast<double>(std::abs(a - b)));
    });
    return result;
  });
}

} // namespace tla::runtime::validation
