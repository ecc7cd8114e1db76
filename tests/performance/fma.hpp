// The limit of a core: fused multiply-adds in registers, in the widest vectors of this CPU, in double.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tla::performance {

// Independent accumulators, enough to fill two FMA pipes of latency four with room to spare.
inline constexpr int chains = 12;
inline constexpr long rounds = 200'000;

#if defined(__x86_64__)
inline __attribute__((target("avx512f"))) double fmaAvx512() {
  __m512d sum[chains];
  const __m512d x = _mm512_set1_pd(1.0000001), y = _mm512_set1_pd(1e-9);
  for (int c = 0; c < chains; ++c)
    sum[c] = _mm512_set1_pd(c);
  for (long r = 0; r < rounds; ++r)
    for (int c = 0; c < chains; ++c)
      sum[c] = _mm512_fmadd_pd(sum[c], x, y);
  double result = 0;
  for (int c = 0; c < chains; ++c)
    for (int lane = 0; lane < 8; ++lane)
      result += sum[c][lane];
  return result;
}
inline __attribute__((target("avx2,fma"))) double fmaAvx2() {
  __m256d sum[chains];
  const __m256d x = _mm256_set1_pd(1.0000001), y = _mm256_set1_pd(1e-9);
  for (int c = 0; c < chains; ++c)
    sum[c] = _mm256_set1_pd(c);
  for (long r = 0; r < rounds; ++r)
    for (int c = 0; c < chains; ++c)
      sum[c] = _mm256_fmadd_pd(sum[c], x, y);
  double result = 0;
  for (int c = 0; c < chains; ++c)
    result += sum[c][0] + sum[c][1] + sum[c][2] + sum[c][3];
  return result;
}
#endif

inline double fmaScalar() {
  double sum[chains];
  for (int c = 0; c < chains; ++c)
    sum[c] = c;
  for (long r = 0; r < rounds; ++r)
    for (int c = 0; c < chains; ++c)
      sum[c] = __builtin_fma(sum[c], 1.0000001, 1e-9);
  double result = 0;
  for (int c = 0; c < chains; ++c)
    result += sum[c];
  return result;
}

struct FmaLoop {
  double (*run)();
  int lanes;
  double flops() const { return 2.0 * chains * rounds * lanes; }
};

inline FmaLoop widestFmaLoop() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return {fmaAvx512, 8};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {fmaAvx2, 4};
#endif
  return {fmaScalar, 1};
}

inline volatile double sink; ///< keeps the loops' results alive

} // namespace tla::performance
