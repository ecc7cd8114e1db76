// Tiles for the kernel tests: random, with NaN wherever a kernel must not look, and compared to a scaled tolerance.
#pragma once

#include "kernels/reference/scalar.hpp"

#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace tla::test {

using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <typename T> constexpr T nan() { return T(std::numeric_limits<RealType<T>>::quiet_NaN()); }
template <typename T> constexpr double epsilon() { return std::numeric_limits<RealType<T>>::epsilon(); }

template <typename T> bool isNan(T x) { return x != x; }

/// An m x n tile that owns its memory; the rows between m and ld hold NaN.
template <typename T> class Sample {
public:
  Sample(int m, int n, int extra = 0)
      : m_(m), n_(n), ld_(std::max(1, m) + extra), data_(std::size_t(ld_) * n + 1, nan<T>()) {}

  Tile<T> tile() { return {data_.data(), m_, n_, ld_}; }
  T &operator()(int i, int j) { return data_[i + std::size_t(j) * ld_]; }
  int m() const { return m_; }
  int n() const { return n_; }

  void fill(T x) {
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < m_; ++i)
        (*this)(i, j) = x;
  }
  void fillRandom(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<RealType<T>> uniform(-1, 1);
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < m_; ++i)
        if constexpr (isComplex<T>)
          (*this)(i, j) = T(uniform(random), uniform(random));
        else
          (*this)(i, j) = uniform(random);
  }
  /// NaN in the triangle that is not `uplo`, and on the diagonal too when it is not to be read.
  void poisonOther(Uplo uplo, Diag diag = Diag::NonUnit) {
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < m_; ++i)
        if ((uplo == Uplo::Lower ? i < j : i > j) || (i == j && diag == Diag::Unit))
          (*this)(i, j) = nan<T>();
  }
  /// Scales a triangular tile so that solving with it is well conditioned.
  void makeDominant() {
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < m_; ++i)
        (*this)(i, j) = i == j ? T(2) + (*this)(i, j) * RealType<T>(0.25) : (*this)(i, j) / RealType<T>(n_);
  }
  /// Hermitian positive definite, from a random tile.
  void makePositive() {
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < j; ++i)
        (*this)(j, i) = reference::conjugate((*this)(i, j));
      (*this)(j, j) = T(RealType<T>(2 * n_ + 1));
    }
  }

private:
  int m_, n_, ld_;
  std::vector<T> data_;
};

template <typename T> Sample<T> randomSample(int m, int n, int extra, unsigned seed) {
  Sample<T> sample(m, n, extra);
  sample.fillRandom(seed);
  return sample;
}

/// Every element, the padding included, equal to within `tolerance` (absolute), NaN matching NaN.
template <typename T> void expectNear(Sample<T> &expected, Sample<T> &actual, double tolerance) {
  int wrong = 0;
  for (int j = 0; j < expected.n(); ++j)
    for (int i = 0; i < expected.tile().ld(); ++i) {
      const T x = expected(i, j), y = actual(i, j);
      if (isNan(x) && isNan(y))
        continue;
      if (!(std::abs(x - y) <= tolerance) && ++wrong <= 3)
        ADD_FAILURE() << "element (" << i << ", " << j << ") is " << y << ", expected " << x;
    }
  EXPECT_LE(wrong, 3) << wrong << " elements differ";
}

inline constexpr Op ops[] = {Op::NoTrans, Op::Trans, Op::ConjTrans};
inline constexpr Uplo uplos[] = {Uplo::Lower, Uplo::Upper};
inline constexpr Diag diags[] = {Diag::NonUnit, Diag::Unit};
inline constexpr Side sides[] = {Side::Left, Side::Right};

/// The ops that syrk (second = Trans) or herk (second = ConjTrans) takes.
template <typename T> std::vector<Op> rankKOps(Op second) {
  return isComplex<T> ? std::vector<Op>{Op::NoTrans, second} : std::vector<Op>{Op::NoTrans, Op::Trans, Op::ConjTrans};
}

} // namespace tla::test
