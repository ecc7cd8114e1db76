// Instantiates the kernels of kernels.def for the four element types, in a file that defines them.
#pragma once

#include <complex>
#include <tla/kernels/kernels.hpp>

namespace tla {
#define TLA_KERNEL(result, name, traits, parameters, arguments) template result name<T> parameters;
#define T float
#include <tla/kernels/kernels.def>
#undef T
#define TLA_KERNEL(result, name, traits, parameters, arguments) template result name<T> parameters;
#define T double
#include <tla/kernels/kernels.def>
#undef T
#define TLA_KERNEL(result, name, traits, parameters, arguments) template result name<T> parameters;
#define T std::complex<float>
#include <tla/kernels/kernels.def>
#undef T
#define TLA_KERNEL(result, name, traits, parameters, arguments) template result name<T> parameters;
#define T std::complex<double>
#include <tla/kernels/kernels.def>
#undef T
} // namespace tla
