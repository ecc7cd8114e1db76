// How the matrices of a call lie in memory.
#pragma once

#include "runtime/host/problem/placement.hpp"
#include "runtime/host/problem/sizes.hpp"

namespace tla::host {

/// The storage of a parameter in tiles of nb, cut if the parameter is; no memory taken yet. Throws UsageError for a
/// workspace of 2^31 rows or columns, or more.
StorageRef describeStorage(const runtime::MatrixParameter &parameter, const runtime::Values &values, int nb,
                           Cut cut = {});

/// Memory for this rank's tiles, in huge pages where the system has them; not touched yet. Throws std::bad_alloc. Each
/// tile is a piece of its own, also where kernels take panels: products read such tiles up to a twentieth faster than
/// windows on one array, which is more than panels and interchanges of rows lose.
void allocateStorage(Storage &storage, const Placement &placement);

/// Bytes that allocateStorage() and the tables of storage and runtime take: without counting tiles on one rank, for
/// absurd sizes as well; on several ranks an even share where there are too many tiles to count.
double storageBytes(const runtime::MatrixParameter &parameter, const runtime::Values &values, int nb,
                    const Placement &placement, Cut cut = {});

} // namespace tla::host
