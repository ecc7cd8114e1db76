// The instructions of kernels/cuda/gemm/instructions.cuh, played by the host.
#pragma once

#include "cuda_runtime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace tla::cuda_gemm {

using std::max;
using std::min;

using Texture = const void *; ///< the memory that it stands for

template <typename T> T fetch(Texture texture, int index, const T *) { return static_cast<const T *>(texture)[index]; }

inline void letOthersRun() { shim::letOthersRun(); }
#ifdef SHIM_THREADS // a turn is no longer than it takes until the system lets a thread go on
inline constexpr unsigned mostTurns = 1u << 31;
#else // a turn of all
inline constexpr unsigned mostTurns = 1u << 20;
#endif
inline void giveUp() {
  std::fprintf(stderr, "shim: a thread waits in vain for another block\n");
  std::abort();
}
inline void storeWord(unsigned long long *word, unsigned long long value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
inline unsigned long long loadWord(const unsigned long long *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
inline void addToCount(unsigned *count) { __atomic_fetch_add(count, 1, __ATOMIC_RELEASE); }
inline unsigned loadCount(const unsigned *count) { return __atomic_load_n(count, __ATOMIC_ACQUIRE); }
inline void *sharedMemory() { return shim::sharedMemory(); }

inline bool isAligned(const void *address, int bytes) { return reinterpret_cast<std::uintptr_t>(address) % bytes == 0; }

template <int bytes> void startCopy(void *to, const void *from, int valid) {
  if (!isAligned(to, bytes) || !isAligned(from, bytes) || valid < 0 || valid > bytes) {
    std::fprintf(stderr, "shim: a copy of which the device would say: misaligned address\n");
    std::abort();
  }
  shim::startCopy(to, from, bytes, valid);
}
inline void startCopy(void *to, const void *from) { startCopy<16>(to, from, 16); }
inline void closeGroup() { shim::closeGroup(); }
template <int remaining> void waitForGroups() { shim::waitForGroups(remaining); }

/// Where operands are, as offsets in column-major matrices (B by its transpose): the PTX ISA's figures for .f64, said
/// independently of instructions.cuh.
template <int mma_m> int offsetInA(int lane, int i) { return lane % 4 * mma_m + lane / 4 + i % 2 * 8 + i / 2 * 64; }
inline int offsetInB(int lane, int i) { return lane % 4 * 8 + lane / 4 + i * 32; }
template <int mma_m> int offsetInC(int lane, int i) {
  return lane % 4 * 2 * mma_m + lane / 4 + i % 2 * mma_m + i / 2 * 8;
}

/// mma.sync: each lane gathers the elements of A and B from those that have them.
template <int mma_m, int mma_k, int countC, int countA, int countB>
void multiplyAddOfShape(double (&c)[countC], const double (&a)[countA], const double (&b)[countB]) {
  struct Operands {
    const double *a, *b;
  } const mine{a, b};
  shim::shareWithWarp(&mine);
  double A[mma_k * mma_m], B[mma_k * 8];
  for (int lane = 0; lane < int(shim::lanes); ++lane) {
    const Operands &its = *static_cast<const Operands *>(shim::sharedBy(lane));
    for (int i = 0; i < countA; ++i)
      A[offsetInA<mma_m>(lane, i)] = its.a[i];
    for (int i = 0; i < countB; ++i)
      B[offsetInB(lane, i)] = its.b[i];
  }
  for (int i = 0; i < countC; ++i) {
    const int at = offsetInC<mma_m>(shim::laneOfThread(), i), row = at % mma_m, column = at / mma_m;
    for (int k = 0; k < mma_k; ++k)
      c[i] = std::fma(A[row + k * mma_m], B[column + k * 8], c[i]);
  }
  __syncwarp(); // all have read
}
inline void multiplyAdd(double (&c)[2], const double (&a)[1], const double (&b)[1]) {
  multiplyAddOfShape<8, 4>(c, a, b);
}
template <int countA, int countB>
void multiplyAdd(double (&c)[4], const double (&a)[countA], const double (&b)[countB]) {
  multiplyAddOfShape<16, 2 * countA>(c, a, b);
}

} // namespace tla::cuda_gemm
