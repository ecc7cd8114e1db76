// Vectors for the authors of kernels: as many elements as a register of the processor holds that the kernel is compiled
// for, so that an inner loop, and above all a sum, is vector code whatever the compiler can prove of it.
//
//   tla::Vec<T> sum = tla::Vec<T>::zero();
//   int i = 0;
//   for (; i + sum.lanes <= n; i += sum.lanes)
//     sum = fma(tla::Vec<T>::load(x + i), tla::Vec<T>::load(y + i), sum);
//   T result = sum.sum();
//   for (; i < n; ++i)
//     result += x[i] * y[i];
//
// Vec<T, lanes> has so many on all processors, which compute the same bits then; the usual number has others on each.
#pragma once

#include <tla/types.hpp>

namespace tla {

/// Bytes of a register.
#if defined(__AVX512F__)
inline constexpr int vectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int vectorBytes = 32;
#else
inline constexpr int vectorBytes = 16;
#endif

/// `count` elements, a power of two, of float or double (integers, too).
template <typename T, int count = vectorBytes / static_cast<int>(sizeof(T))> class Vec {
  static_assert(!isComplex<T>, "vectors are of real numbers: take real and imaginary parts apart");
  static_assert(count > 0 && (count & (count - 1)) == 0, "a vector has 1, 2, 4, 8, ... elements");
  typedef T Register __attribute__((vector_size(count * sizeof(T))));
  typedef T InMemory __attribute__((vector_size(count * sizeof(T)), aligned(sizeof(T)), may_alias));

public:
  static constexpr int lanes = count;

  Vec() = default;
  /// The same value in all elements.
  explicit Vec(T value) : value_(Register{} + value) {}

  static Vec zero() { return of(Register{}); }
  /// Elements at[0 .. lanes - 1], which may lie anywhere.
  static Vec load(const T *at) { return of(*reinterpret_cast<const InMemory *>(at)); }
  /// The first `some` elements, at most `lanes`; the others are zero, and are not read.
  static Vec load(const T *at, int some) {
    Vec result = zero();
    for (int i = 0; i < some; ++i)
      result.value_[i] = at[i];
    return result;
  }
  void store(T *at) const { *reinterpret_cast<InMemory *>(at) = value_; }
  void store(T *at, int some) const {
    for (int i = 0; i < some; ++i)
      at[i] = value_[i];
  }

  T operator[](int i) const { return value_[i]; }

  friend Vec operator+(Vec a, Vec b) { return of(a.value_ + b.value_); }
  friend Vec operator-(Vec a, Vec b) { return of(a.value_ - b.value_); }
  friend Vec operator*(Vec a, Vec b) { return of(a.value_ * b.value_); }
  friend Vec operator/(Vec a, Vec b) { return of(a.value_ / b.value_); }
  friend Vec operator-(Vec a) { return of(-a.value_); }
  Vec &operator+=(Vec other) { return *this = *this + other; }
  Vec &operator-=(Vec other) { return *this = *this - other; }
  Vec &operator*=(Vec other) { return *this = *this * other; }

  /// a * b + c: one operation where the processor has it.
  friend Vec fma(Vec a, Vec b, Vec c) { return of(a.value_ * b.value_ + c.value_); }

  /// Adds all elements in pairs, (0 + lanes / 2) + ..., in the same order each time.
  T sum() const {
    return reduce([](T a, T b) { return a + b; });
  }
  T max() const {
    return reduce([](T a, T b) { return a < b ? b : a; });
  }
  T min() const {
    return reduce([](T a, T b) { return b < a ? b : a; });
  }

private:
  static Vec of(Register value) {
    Vec result;
    result.value_ = value;
    return result;
  }

  template <typename Operation> T reduce(Operation operation) const {
    T parts[count];
    store(parts);
    for (int half = count / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i)
        parts[i] = operation(parts[i], parts[i + half]);
    return parts[0];
  }

  Register value_;
};

} // namespace tla
