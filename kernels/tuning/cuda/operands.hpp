// Random operands of a product, and how far its result may be from the host's.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace hetc::tuning::cuda {

template <typename T> struct RealOf { using type = T; };
template <typename R> struct RealOf<std::complex<R>> { using type = R; };
template <typename T> constexpr T nan() { return T(std::numeric_limits<typename RealOf<T>::type>::quiet_NaN()); }

/// Numbers in [-1, 1), one after the other from a multiplication (Knuth, The Art of Computer Programming 2, 3.3.4, for
/// the multiplier): matrices are made anew for each candidate.
class Uniform {
public:
  explicit Uniform(std::mt19937 &random) : state_(random()) {}
  template <typename R> R next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<R>(static_cast<std::int32_t>(state_ >> 32)) * R(0x1p-31);
  }

private:
  std::uint64_t state_;
};

/// A column-major matrix of random numbers, with NaN between its rows and ld.
template <typename T> struct Matrix {
  Matrix(int rows, int columns, int ld, std::mt19937 &random) : rows(rows), ld(std::max(ld, 1)) {
    using R = typename RealOf<T>::type;
    data.assign(std::size_t(this->ld) * columns, nan<T>());
    Uniform uniform(random);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if constexpr (std::is_same_v<R, T>) {
          at(i, j) = uniform.next<R>();
        } else {
          const R re = uniform.next<R>();
          at(i, j) = T(re, uniform.next<R>());
        }
  }
  T &at(int i, int j) { return data[i + std::size_t(j) * ld]; }
  /// op of it.
  T at(char op, int i, int j) {
    const T x = op == 'n' ? at(i, j) : at(j, i);
    if constexpr (!std::is_same_v<typename RealOf<T>::type, T>)
      return op == 'c' ? std::conj(x) : x;
    else
      return x;
  }
  std::size_t bytes() const { return data.size() * sizeof(T); }

  int rows, ld;
  std::vector<T> data;
};

template <typename T> Matrix<T> operand(char op, int m, int n, int extra, std::mt19937 &random) {
  return op == 'n' ? Matrix<T>(m, n, m + extra, random) : Matrix<T>(n, m, n + extra, random);
}

/// Empty, or the first element that is further away than rounding explains.
template <typename T> std::string compare(const std::vector<T> &expected, const std::vector<T> &actual, int ld, int k) {
  const double tolerance = 32 * (k + 4.0) * std::numeric_limits<typename RealOf<T>::type>::epsilon();
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (const bool bothNan = expected[i] != expected[i] && actual[i] != actual[i];
        !bothNan && !(std::abs(expected[i] - actual[i]) <= tolerance)) {
      std::ostringstream message;
      message << "element (" << i % ld << ", " << i / ld << ") is " << actual[i] << ", expected " << expected[i];
      return message.str();
    }
  return "";
}

} // namespace hetc::tuning::cuda
