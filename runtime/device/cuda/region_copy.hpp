// A triangle of a tile, copied without a look at the other: by device code.
#pragma once

#include "runtime/device/tile_copy.hpp"

#include <cuda_runtime_api.h>

namespace tla::runtime {

/// Enqueues the copy. Source and destination are memory that the device of the stream can address: its own, pinned host
/// memory, a peer's. The elements consist of words of 4 bytes.
void copyRegion(const TileCopy &copy, cudaStream_t stream);

} // namespace tla::runtime
