// Calls of algorithms with random sizes and options.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "tests/integration/load_algorithm.hpp"

#include <tla/runtime/algorithm.hpp>

#include <cstring>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace tla::test {

/// One call's sizes and options.
struct Case {
  long m, n, k, nb;
  bool columns; ///< the matrices are LAPACK arrays with lda > m, not tiles
  std::vector<runtime::ScalarValue> scalars;
  Period period{};

  runtime::Values values() const { return {m, n, k, scalars.data(), period}; }
  /// The case as it is on the nodes of a distribution.
  Case on(const Distribution &distribution) const {
    Case other = *this;
    other.period = distribution.period();
    return other;
  }
};

inline std::ostream &operator<<(std::ostream &out, const Case &c) {
  out << "m = " << c.m << ", n = " << c.n << ", k = " << c.k << ", nb = " << c.nb
      << (c.columns ? ", LAPACK arrays" : "");
  for (const runtime::ScalarValue &scalar : c.scalars)
    out << ", " << scalar.integer << "|" << scalar.real;
  return out;
}

class CaseWriter {
public:
  explicit CaseWriter(std::uint64_t seed) : random_(seed) {}

  Case next(const runtime::Algorithm &algorithm) {
    Case c{between(0, 70), between(0, 70), between(0, 25), between(3, 24), between(0, 1) == 1, {}};
    if (between(0, 3) == 0) // beyond the sizes at which kernels are cut into blocks
      c = {between(100, 300), between(100, 300), between(1, 130), between(60, 140), c.columns, {}};
    makeTall(algorithm, c.m, c.n);
    for (const auto *s = algorithm.scalars; s != algorithm.scalars + algorithm.scalarCount; ++s)
      c.scalars.push_back(scalar(s->name, s->type, c.n, std::strcmp(algorithm.name, "syrk") == 0));
    return c;
  }

private:
  long between(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random_); }
  runtime::ScalarValue scalar(const char *name, const std::string &type, long n, bool symmetric) {
    const auto one = [&](std::initializer_list<long> values) { return values.begin()[between(0, values.size() - 1)]; };
    if (type == "Op")
      return {one({111, symmetric ? 112 : 113}), 0, 0};
    if (type == "Uplo")
      return {one({121, 122}), 0, 0};
    if (type == "Diag")
      return {one({131, 132}), 0, 0};
    if (type == "Side")
      return {one({141, 142}), 0, 0};
    if (type == "int")
      return {settledOption(name, n, between(1, 20)), 0, 0};
    return {0, 0.25 * static_cast<double>(between(-6, 6)), 0};
  }
  std::mt19937_64 random_;
};

} // namespace tla::test
