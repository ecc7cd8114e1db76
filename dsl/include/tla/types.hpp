// The vocabulary every other DSL header speaks: LAPACK's enumerations and the real type of an element type.
#pragma once

namespace tla {

// Values are those of CBLAS, so that a back-end converts by a cast.
enum class Op : int { NoTrans = 111, Trans = 112, ConjTrans = 113 };
enum class Uplo : int { Upper = 121, Lower = 122 };
enum class Diag : int { NonUnit = 131, Unit = 132 };
enum class Side : int { Left = 141, Right = 142 };

/// The part of a tile that an access touches, as a dependence region of its own ([Song12] tile QR needs the
/// two halves apart). Lower is strictly below the diagonal, Upper is the diagonal and above; Full is both.
enum class Region : int { Full = 0, Lower = 1, Upper = 2 };

/// The smaller and the larger of two sizes or indices, so that a .tla needs no <algorithm>.
constexpr int min(int a, int b) { return b < a ? b : a; }
constexpr int max(int a, int b) { return a < b ? b : a; }

namespace detail {
template <typename T>
concept HasValueType = requires {
  typename T::value_type;
};

template <typename T> struct RealOf { using type = T; };
// std::complex<R>, recognised by its member so that no translation unit pays for <complex> that does not use it.
template <HasValueType T> struct RealOf<T> { using type = typename T::value_type; };
} // namespace detail

/// float for float and std::complex<float>, double for double and std::complex<double>.
template <typename T> using RealType = typename detail::RealOf<T>::type;

template <typename T> inline constexpr bool isComplex = detail::HasValueType<T>;

} // namespace tla
