// How the tiles of a program that was split are cut ([Song12] 3.1).
#pragma once

#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/algorithm.hpp>

#include <string>

namespace tla::host {

/// Tiles of nb columns in as many slices as the program was compiled for, of the width that --slice says or, without
/// it, of a width that suits a node with so many accelerators. Whole tiles for a program that was not split. Throws
/// UsageError when the tiles are too narrow for that, or the slices too wide.
Cut chooseCut(const runtime::Algorithm &algorithm, const Settings &settings, int nb, int accelerators);

/// The width for slices of tiles of nb >= slices columns, without a look at the node: as [Song12] 3.2 with equal rates
/// of the host's cores together and of each accelerator. Without accelerators: slices of about equal width.
int widthForEqualRates(int slices, int nb, int accelerators);

/// "nb = 192", "nb = 192 in slices of 48, 48, 96"
std::string tilesText(int nb, Cut cut);

} // namespace tla::host
