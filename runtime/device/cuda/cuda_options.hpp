// Which CUDA devices a run uses.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tla::runtime {

struct CudaOptions {
  std::vector<int> devices;    ///< numbers as the CUDA runtime counts, each once; empty: all
  std::size_t memoryBytes = 0; ///< for tiles, on each device; 0: most of what is free
  bool isMost = false;         ///< less will do where less is free
  /// Ranks of one machine deal the devices among themselves (device_part.hpp): which one this is, and how many.
  int part = 0, parts = 1;
};

/// Reads "cuda[:N,N...][,mem=SIZE]"; SIZE is in bytes, or with K, M, G in KiB, MiB, GiB. Throws UsageError on a
/// mistake, which says what is wrong in one line.
CudaOptions parseCuda(const std::string &text);

} // namespace tla::runtime
