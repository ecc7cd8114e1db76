// What C++ has no word for: instructions of the device in PTX. On the host, tests/shims/cuda plays them.
//
// Layouts of the operands of mma.sync for .f64, from the PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f64" and "...
// mma.m16n8k4, mma.m16n8k8, and mma.m16n8k16 with .f64". Of lane l, with g = l / 4 and t = l % 4:
//
//   A, m x k: a[i] is in row g + 8 (i % 2), column t + 4 (i / 2); for m = 8 in row g, column t
//   B, k x 8: b[i] is in row t + 4 i, column g
//   C, m x 8: c[i] is in row g + 8 (i / 2), column 2 t + i % 2
#pragma once

#ifndef __CUDACC__
#include "instructions_on_host.hpp"
#else

namespace tla::cuda_gemm {

using Texture = unsigned long long;

/// Element `index` of memory that a texture without filter stands for.
inline __device__ float fetch(Texture texture, int index, const float *) { return tex1Dfetch<float>(texture, index); }
inline __device__ double fetch(Texture texture, int index, const double *) {
  const int2 halves = tex1Dfetch<int2>(texture, index);
  return __hiloint2double(halves.y, halves.x);
}
template <typename C> __device__ C fetch(Texture texture, int index, const C *) {
  if constexpr (sizeof(C) == sizeof(float2)) {
    const float2 parts = tex1Dfetch<float2>(texture, index);
    return {parts.x, parts.y};
  } else {
    const int4 parts = tex1Dfetch<int4>(texture, index);
    return {__hiloint2double(parts.y, parts.x), __hiloint2double(parts.w, parts.z)};
  }
}

/// In a loop that waits for other blocks; after mostTurns of it, most of a minute, these are not going to come.
inline __device__ void letOthersRun() {}
inline constexpr unsigned mostTurns = 1u << 27;
/// Ends the kernel, and all else of the context, by an error.
inline __device__ void giveUp() { __trap(); }
/// A word that other blocks read, or write, at any time; nothing else is ordered by it.
inline __device__ void storeWord(unsigned long long *word, unsigned long long value) {
  *static_cast<volatile unsigned long long *>(word) = value;
}
inline __device__ unsigned long long loadWord(const unsigned long long *word) {
  return *static_cast<const volatile unsigned long long *>(word);
}
/// One more; whoever loads a count with it sees what the calling thread has written, or seen, before.
inline __device__ void addToCount(unsigned *count) {
  asm volatile("red.release.gpu.add.u32 [%0], 1;" ::"l"(count) : "memory");
}
inline __device__ unsigned loadCount(const unsigned *count) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(count) : "memory");
  return value;
}

/// The shared memory that the launch gave the block beyond its static arrays.
inline __device__ void *sharedMemory() {
  extern __shared__ double2 memory[];
  return memory;
}

inline __device__ bool isAligned(const void *address, int bytes) {
  return reinterpret_cast<unsigned long long>(address) % bytes == 0;
}

/// Starts a copy of `bytes` (8 or 16, and both addresses are multiples) from device to shared memory; of these only
/// the first `valid` are read, the rest become zero.
template <int bytes> __device__ void startCopy(void *to, const void *from, int valid) {
  const unsigned there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(there), "l"(from), "r"(valid) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(there), "l"(from), "r"(valid) : "memory");
}
/// Copies the 16 bytes whole. Only barriers and waits order it: it is there to be moved among what does not depend on
/// it.
inline __device__ void startCopy(void *to, const void *from) {
  const unsigned there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there), "l"(from));
}
/// The calling thread's copies since the last call are a group.
inline __device__ void closeGroup() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Until all but the newest `remaining` groups of the calling thread have come to their end.
template <int remaining> __device__ void waitForGroups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(remaining) : "memory");
}

/// c += a b by a warp, all of it at once. What is not volatile may be moved among other instructions; the sums are
/// carried around the loops of their kernel, so that it stays where all lanes are.
inline __device__ void multiplyAdd(double (&c)[2], const double (&a)[1], const double (&b)[1]) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a[0]), "d"(b[0]));
}
inline __device__ void multiplyAdd(double (&c)[4], const double (&a)[2], const double (&b)[1]) {
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}
inline __device__ void multiplyAdd(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
inline __device__ void multiplyAdd(double (&c)[4], const double (&a)[8], const double (&b)[4]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]));
}

} // namespace tla::cuda_gemm
#endif

namespace tla::cuda_gemm {

inline constexpr int lanes = 32;

/// Where the operands of lane `lane` are.
template <int mma_m> __device__ constexpr int rowOfA(int lane, int i) {
  return lane / 4 + (mma_m == 16 ? 8 * (i % 2) : 0);
}
template <int mma_m> __device__ constexpr int columnOfA(int lane, int i) {
  return lane % 4 + 4 * (mma_m == 16 ? i / 2 : i);
}
__device__ constexpr int rowOfB(int lane, int i) { return lane % 4 + 4 * i; }
__device__ constexpr int columnOfB(int lane) { return lane / 4; }
__device__ constexpr int rowOfC(int lane, int i) { return lane / 4 + 8 * (i / 2); }
__device__ constexpr int columnOfC(int lane, int i) { return 2 * (lane % 4) + i % 2; }

} // namespace tla::cuda_gemm
