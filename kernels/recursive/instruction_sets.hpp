// Code of ours that must be vectorized: this folder is compiled for the oldest CPU, OpenBLAS picks its own code.
#pragma once

namespace tla::kernels::recursive {

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
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return runAvx512(body);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return runAvx2(body);
#endif
  return body();
}

} // namespace tla::kernels::recursive
