// How much memory a run takes, and how much there is: known before anything is allocated.
#pragma once

#include "runtime/host/problem/sizes.hpp"

namespace tla::host {

/// Bytes that allocate() takes for a rows x columns matrix in nb x nb tiles; in floating point and in constant time, so
/// that absurd sizes neither overflow nor take long. Exact up to rounding when nothing overflows.
double matrixBytes(double rows, double columns, double nb, double elementBytes, Shape shape);
/// Tiles of a matrix, and what the tables of storage and runtime take for each.
double tableBytes(double rows, double columns, double nb);

/// Memory this process may still take: the system's MemAvailable, or less under a cgroup limit (v1 or v2).
double availableBytes();

/// Memory that this process has taken so far (its resident set); 0: the system does not say.
double residentBytes();

/// Throws UsageError "needs 34.4 GiB, 23.1 GiB available; use a smaller ..." when needed > available.
void requireMemory(double needed, double available, const std::string &advice);

} // namespace tla::host
