// The micro-kernel: C = alpha op(A) op(B) + beta C for as much of C as the vector registers hold, over a block of k
// (the innermost loop of Goto and van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS 34, 2008).
//
// Complex types run the same loop. A is taken as a real matrix of twice the rows, B as one of twice the columns, real
// and imaginary parts in turn; so columns 2j and 2j + 1 of the accumulators are A re(b_j) and A im(b_j), and their sum
// is put together once, at the end: column 2j + i times column 2j + 1.
#pragma once

#include "kernels/tuned/configuration.hpp"

#include <tla/types.hpp>

#include <utility>

namespace tla::kernels::tuned {

/// Real numbers in one element.
template <typename T> inline constexpr int parts = isComplex<T> ? 2 : 1;

/// How the micro-kernel goes through a strip of an operand: number i of step l is data[l * step + i] for op(A), element
/// j of step l is at data + l * step + j * stride for op(B). In real numbers.
template <typename Real> struct Strip {
  const Real *data;
  long step, stride;
};

/// How a product is added to C. Only rows x columns elements of C exist.
template <typename T> struct Update {
  T alpha, beta;
  bool conjugateB;
  T *C;
  long ld;
  int rows, columns;
};

/// Memory that the micro-kernel asks for while it computes, a line every so many steps of k: from `data` on, `step`
/// bytes apart. Only advice: any address will do.
struct Ahead {
  const char *data;
  long step;
};
inline constexpr int stepsPerLine = 2;

/// MicroKernelFor<isa>::Code<T, g, vectors, columns>::run: the micro-kernel for one shape, compiled for the instruction
/// set.
template <Isa isa> struct MicroKernelFor;

} // namespace tla::kernels::tuned

// The same text three times: a compiler takes vectors apart in a function whose instruction set does not have them,
// even if it is inlined into one whose instruction set does, so every function must be for the right one.
#define TLA_ISA Portable
#include "kernels/tuned/micro_kernel_code.hpp"
#undef TLA_ISA

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#define TLA_ISA Avx2
#include "kernels/tuned/micro_kernel_code.hpp"
#undef TLA_ISA
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,fma")
#endif
#define TLA_ISA Avx512
#include "kernels/tuned/micro_kernel_code.hpp"
#undef TLA_ISA
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

namespace tla::kernels::tuned {

template <typename T, GemmConfiguration g, int vectors, int columns>
using MicroKernel = typename MicroKernelFor<g.isa>::template Code<T, g, vectors, columns>;

} // namespace tla::kernels::tuned
