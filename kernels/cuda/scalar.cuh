// Elements in device code: float, double, and a complex number that multiplies as BLAS does, without a second look at
// NaN. Laid out as std::complex.
#pragma once

#include <tla/tile.hpp>

#include <complex>
#include <cuda_runtime.h>
#include <type_traits>

namespace tla::kernels::cuda {

template <typename R> struct alignas(2 * sizeof(R)) Complex {
  R re, im;
  Complex() = default;
  __host__ __device__ Complex(R real, R imaginary = 0) : re(real), im(imaginary) {}
};

template <typename R> __device__ Complex<R> operator+(Complex<R> x, Complex<R> y) { return {x.re + y.re, x.im + y.im}; }
template <typename R> __device__ Complex<R> operator-(Complex<R> x, Complex<R> y) { return {x.re - y.re, x.im - y.im}; }
template <typename R> __device__ Complex<R> operator-(Complex<R> x) { return {-x.re, -x.im}; }
template <typename R> __device__ Complex<R> operator*(Complex<R> x, Complex<R> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
template <typename R> __device__ Complex<R> operator*(R x, Complex<R> y) { return {x * y.re, x * y.im}; }
template <typename R> __device__ Complex<R> operator/(Complex<R> x, R y) { return {x.re / y, x.im / y}; }
template <typename R> __device__ bool operator==(Complex<R> x, Complex<R> y) { return x.re == y.re && x.im == y.im; }

template <typename T> struct DeviceTypeOf {
  using type = T;
  using real = T;
};
template <typename R> struct DeviceTypeOf<std::complex<R>> {
  using type = Complex<R>;
  using real = R;
};
template <typename R> struct DeviceTypeOf<Complex<R>> {
  using type = Complex<R>;
  using real = R;
};
/// The type of device code that corresponds to T, and its real type.
template <typename T> using DeviceType = typename DeviceTypeOf<T>::type;
template <typename D> using RealOf = typename DeviceTypeOf<D>::real;

template <typename D> inline constexpr bool isDeviceComplex = !std::is_same_v<D, RealOf<D>>;

template <typename D> __host__ __device__ D conjugate(D x) {
  if constexpr (isDeviceComplex<D>)
    return {x.re, -x.im};
  else
    return x;
}
template <typename D> __device__ RealOf<D> realPart(D x) {
  if constexpr (isDeviceComplex<D>)
    return x.re;
  else
    return x;
}
template <typename D> __device__ RealOf<D> imaginaryPart(D x) {
  if constexpr (isDeviceComplex<D>)
    return x.im;
  else
    return 0;
}
/// The larger of |re| and |im|; NaN when one of them is.
template <typename D> __device__ RealOf<D> largestPart(D x) {
  const RealOf<D> re = fabs(realPart(x)), im = fabs(imaginaryPart(x));
  return im > re || im != im ? im : re;
}
/// 1 / x, scaled so that squares neither overflow nor vanish (Smith, Algorithm 116, CACM 5, 1962).
template <typename D> __device__ D reciprocal(D x) {
  if constexpr (!isDeviceComplex<D>) {
    return 1 / x;
  } else if (fabs(x.re) >= fabs(x.im)) {
    const RealOf<D> ratio = x.im / x.re, divisor = x.re + x.im * ratio;
    return {1 / divisor, -ratio / divisor};
  } else {
    const RealOf<D> ratio = x.re / x.im, divisor = x.im + x.re * ratio;
    return {ratio / divisor, -1 / divisor};
  }
}
/// x times beta; 0 for beta = 0, NaN or not (BLAS).
template <typename D> __device__ D scaled(D beta, D x) { return beta == D(0) ? D(0) : beta == D(1) ? x : beta * x; }

template <typename T> DeviceType<T> onDevice(T x) {
  if constexpr (isComplex<T>)
    return {x.real(), x.imag()};
  else
    return x;
}

/// A tile in device code.
template <typename D> struct View {
  D *data;
  int m, n, ld;
  __device__ D &operator()(int i, int j) const { return data[i + static_cast<long>(j) * ld]; }
};

template <typename T> View<DeviceType<T>> viewOf(ConstTile<T> A) {
  return {reinterpret_cast<DeviceType<T> *>(const_cast<T *>(A.data())), A.m(), A.n(), A.ld()};
}

} // namespace tla::kernels::cuda
