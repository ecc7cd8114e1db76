// How the matrices of a call lie in memory.
#pragma once

#include "runtime/bootstrap/sizes.hpp"

namespace tla::bootstrap {

/// The storage of a parameter in tiles of nb, no memory taken yet. Throws UsageError for a workspace of 2^31 rows or
/// columns, or more.
StorageRef describeStorage(const runtime::MatrixParameter &parameter, const runtime::Values &values, int nb);

/// Memory for it, in huge pages where the system has them; not touched yet. A general matrix of which kernels take
/// panels lies in columns, any other in tiles. Throws std::bad_alloc.
void allocateStorage(const runtime::MatrixParameter &parameter, Storage &storage);

/// Bytes that allocateStorage() and the tables of storage and runtime take: in constant time, for absurd sizes as well.
double storageBytes(const runtime::MatrixParameter &parameter, const runtime::Values &values, int nb);

} // namespace tla::bootstrap
