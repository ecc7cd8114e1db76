// From the element type of a description to a C++ type.
#pragma once

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/error.hpp>

#include <complex>
#include <cstddef>
#include <type_traits>

namespace tla::host {

using runtime::elementBytes;
using runtime::ElementType;

/// Calls f(T{}) with T float, double or their complex types. I (int) has no arithmetic here: throws Error.
template <typename F> decltype(auto) withNumberType(ElementType type, F &&f) {
  switch (type) {
  case ElementType::S:
    return f(float{});
  case ElementType::D:
    return f(double{});
  case ElementType::C:
    return f(std::complex<float>{});
  case ElementType::Z:
    return f(std::complex<double>{});
  case ElementType::I:
    break;
  }
  throw Error("a matrix of integers has no values to make or to check");
}

inline bool isComplexType(ElementType type) { return type == ElementType::C || type == ElementType::Z; }
/// The number of real operations in one operation of the type, as LAPACK counts: 4 for complex types.
inline double flopFactor(ElementType type) { return isComplexType(type) ? 4 : 1; }
/// "double", "complex float"
inline const char *typeName(ElementType type) {
  switch (type) {
  case ElementType::S:
    return "float";
  case ElementType::D:
    return "double";
  case ElementType::C:
    return "complex float";
  case ElementType::Z:
    return "complex double";
  case ElementType::I:
    break;
  }
  return "int";
}

/// The unit roundoff, LAPACK's dlamch('Epsilon'): 2^-24 or 2^-53.
inline double unitRoundoff(ElementType type) {
  return type == ElementType::S || type == ElementType::C ? 0x1p-24 : 0x1p-53;
}

template <typename T> T conjugate(T value) {
  if constexpr (isComplex<T>)
    return std::conj(value);
  else
    return value;
}
template <typename T> T fromComplex(std::complex<double> value) {
  if constexpr (isComplex<T>)
    return {static_cast<RealType<T>>(value.real()), static_cast<RealType<T>>(value.imag())};
  else
    return static_cast<T>(value.real());
}

} // namespace tla::host
