// The families of names that LAPACK libraries export their routines by, and how wide INTEGER is in each.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace tla::lapack {

/// dpotrf is dpotrf_ in LAPACK itself, dpotrf_64_ where INTEGER has 64 bits (Julia, NumPy built for it), scipy_dpotrf_
/// and scipy_dpotrf_64_ in the OpenBLAS that NumPy's and SciPy's wheels bring.
enum class Names { Plain, Ilp64, Scipy, ScipyIlp64 };

constexpr bool hasLongIntegers(Names names) { return names == Names::Ilp64 || names == Names::ScipyIlp64; }

/// LAPACK's INTEGER.
template <Names names> using IntegerOf = std::conditional_t<hasLongIntegers(names), std::int64_t, int>;

constexpr const char *prefixOf(Names names) {
  return names == Names::Scipy || names == Names::ScipyIlp64 ? "scipy_" : "";
}
constexpr const char *suffixOf(Names names) { return hasLongIntegers(names) ? "_64_" : "_"; }

/// The library's symbol for the routine `name` ("dpotrf").
inline std::string symbolOf(Names names, const std::string &name) { return prefixOf(names) + name + suffixOf(names); }

} // namespace tla::lapack
