// Host memory that is not pinned on its way through pinned buffers, by several threads.
#pragma once

#include "runtime/device/cuda/helper_threads.hpp"
#include "runtime/device/tile_copy.hpp"

namespace tla::runtime {

/// One thread packs 12 GB/s and four 36, more do no better, where the link takes 50 (docs/notes/h200.md): so a large
/// copy between two places of the host is done in parts, by whoever asks for it and the helpers that have nothing else
/// to do. Helpers sleep in between; nobody waits for one that has not begun.
class StagingThreads {
public:
  /// `helpers`: beside the threads that ask.
  explicit StagingThreads(int helpers) : count_(helpers), helpers_(helpers) {}

  /// Any thread; returns when all elements are there.
  void copy(const TileCopy &copy);

  /// The threads for all devices: a quarter of the cores that the process may use, four at most, with the thread that
  /// asks.
  static StagingThreads &ofThisProcess();

private:
  const int count_;
  HelperThreads helpers_;
};

} // namespace tla::runtime
