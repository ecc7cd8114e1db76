// Vector code is compiled for several instruction sets, as files are compiled for the oldest CPU; the CPU decides at
// run time which code runs. All that decides is here.
#pragma once

#include <type_traits>

// Functions with vectors as arguments are always inlined: how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tla::kernels::vectors {

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

inline Isa bestIsa() { return supports(Isa::Avx512) ? Isa::Avx512 : supports(Isa::Avx2) ? Isa::Avx2 : Isa::Portable; }

/// 64 bytes of T: one AVX-512 register; without AVX-512 the compiler splits it.
template <typename T> struct WideVector {
  typedef T type __attribute__((vector_size(64)));
  static constexpr int lanes = 64 / sizeof(T);
};

#if defined(__x86_64__)
template <typename Body> [[gnu::target("avx512f,avx512vl,avx512dq,fma"), gnu::flatten]] auto runAvx512(Body body) {
  return body();
}
template <typename Body> [[gnu::target("avx2,fma"), gnu::flatten]] auto runAvx2(Body body) { return body(); }
#endif

/// body(), compiled for the widest vectors of this CPU: everything that it calls is inlined into one function per
/// instruction set, so it should be short.
template <typename Body> auto vectorized(Body body) {
#if defined(__x86_64__)
  if (supports(Isa::Avx512))
    return runAvx512(body);
  if (supports(Isa::Avx2))
    return runAvx2(body);
#endif
  return body();
}

/// body(std::type_identity<vector of Real>()), compiled as by vectorized(), for vectors as wide as the registers of the
/// instruction set: for code that has all registers in use. Of vectors split into several registers it would be as
/// many times as long, and mostly move them to memory and back.
template <typename Real, typename Body> void vectorizedInRegisters(Body body) {
#if defined(__x86_64__)
  if (supports(Isa::Avx512))
    return runAvx512([&] { body(std::type_identity<typename Vector<Real, Isa::Avx512>::Type>()); });
  if (supports(Isa::Avx2))
    return runAvx2([&] { body(std::type_identity<typename Vector<Real, Isa::Avx2>::Type>()); });
#endif
  body(std::type_identity<typename Vector<Real, Isa::Portable>::Type>());
}

} // namespace tla::kernels::vectors

/// The function template `name`, which is always inlined, compiled for each instruction set: nameHere is that for this
/// CPU. Not as vectorized(), where all that is called would be inlined, too.
#if defined(__x86_64__)
#define TLA_COMPILE_FOR_ISAS(name, parameters, arguments)                                                              \
  template <typename T> [[gnu::target("avx512f,fma")]] void name##Avx512 parameters { name arguments; }                \
  template <typename T> [[gnu::target("avx2,fma")]] void name##Avx2 parameters { name arguments; }                     \
  template <typename T> void name##Here parameters {                                                                   \
    if (tla::kernels::vectors::supports(tla::kernels::vectors::Isa::Avx512))                                           \
      return name##Avx512 arguments;                                                                                   \
    if (tla::kernels::vectors::supports(tla::kernels::vectors::Isa::Avx2))                                             \
      return name##Avx2 arguments;                                                                                     \
    name arguments;                                                                                                    \
  }
#else
#define TLA_COMPILE_FOR_ISAS(name, parameters, arguments)                                                              \
  template <typename T> void name##Here parameters { name arguments; }
#endif
