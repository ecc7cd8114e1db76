// Tiles as bytes on the way between nodes.
#pragma once

#include "runtime/core/window/version.hpp"

#include <tla/runtime/task.hpp>

#include <cstddef>

namespace tla::runtime {

/// Rows of guards below each column of a version that is guarded.
inline constexpr int guardRows = 2;

/// Leading dimension of a version's content.
int ldOf(const Version &version);

/// The bytes of a tile that travel: its elements column by column without gaps; for Region::Lower those strictly below
/// the diagonal, for Upper the others.
std::size_t packedBytes(const TileRef &tile);
/// The content of a version is such a sequence as it lies in memory.
bool isPacked(const Version &version, Region region);
void pack(const Version &version, Region region, void *bytes);
void unpack(const Version &version, Region region, const void *bytes);

} // namespace tla::runtime
