// Streams that come to what they were given when it suits them: everything that CUDA leaves open, chosen at random.
#pragma once

#include "cuda_runtime_api.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shim {

/// Few, so that panels of tests are dealt to half of them.
inline constexpr int multiprocessors = 8;

/// Memory that an operation touches: `rows` runs of `bytes`, `pitch` apart.
struct Range {
  const void *begin;
  std::size_t bytes, rows, pitch;
  bool written;
};

/// An operation at the end of the stream. `ranges`: what is known of what it touches.
void enqueue(cudaStream_t stream, std::function<void()> work, std::vector<Range> ranges = {});

/// The operations that touch the same memory, one of them writing, though nothing orders them: neither a stream, nor
/// that the host had seen the end of the first when it gave the second. Found when the second is given, whatever order
/// chance has them done in. Empties the list.
std::vector<std::string> takeRaces();

/// A kernel "gemm" that cudaLibraryLoadData() finds by this text. `bind` copies the arguments of a launch, and returns
/// what the launch does. `sharedBytes`: of a block, which a launch must give it.
struct KernelImage {
  std::function<std::function<void()>(dim3 grid, dim3 block, void **arguments)> bind;
  int sharedBytes = 0;
};
void addImage(const std::string &text, KernelImage image);
/// Libraries that are loaded.
int libraries();

/// Whether cudaHostRegister() succeeds from now on.
void setPinning(bool possible);
/// How many ranges of the program's own memory are registered.
std::size_t registered();

/// Sets the seed of the order that chance chooses from now on.
void setSeed(unsigned seed);

} // namespace shim
