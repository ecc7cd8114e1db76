// The vector code of this folder is compiled for several instruction sets; the CPU decides at run time which one runs.
#pragma once

// Functions with vectors as arguments are always inlined: how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tla::kernels::tuned {

/// Portable: what the compiler may use anyway (SSE2 on x86-64, NEON on AArch64).
enum class Isa { Portable, Avx2, Avx512 };

constexpr int vectorBytes(Isa isa) { return isa == Isa::Avx512 ? 64 : isa == Isa::Avx2 ? 32 : 16; }

/// A vector of Real, as wide as the registers of the instruction set, and the same as it lies in memory: anywhere.
template <typename Real, Isa isa> struct Vector {
  static constexpr int lanes = vectorBytes(isa) / sizeof(Real);
  typedef Real Type __attribute__((vector_size(vectorBytes(isa))));
  typedef Real InMemory __attribute__((vector_size(vectorBytes(isa)), aligned(sizeof(Real)), may_alias));
};

/// Target<isa>::run(body) is body(), compiled for the instruction set: all that it calls is inlined, so that no
/// function of another file can end up with instructions that a CPU does not have.
template <Isa isa> struct Target {
  template <typename Body> [[gnu::noinline, gnu::flatten]] static void run(Body body) { body(); }
};
#if defined(__x86_64__)
template <> struct Target<Isa::Avx2> {
  template <typename Body> [[gnu::target("avx2,fma"), gnu::noinline, gnu::flatten]] static void run(Body body) {
    body();
  }
};
template <> struct Target<Isa::Avx512> {
  template <typename Body>
  [[gnu::target("avx512f,avx512vl,avx512dq,fma"), gnu::noinline, gnu::flatten]] static void run(Body body) {
    body();
  }
};
#endif

/// Whether this CPU and operating system run the code of an instruction set.
inline bool supports(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::Avx512)
    return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (isa == Isa::Avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return isa == Isa::Portable;
}

} // namespace tla::kernels::tuned
