// The tile size when the user gives none.
#pragma once

#include "runtime/host/problem/sizes.hpp"

namespace tla::host {

/// The side that tiles should cut into parts: the smaller side of a matrix, the largest over all matrices, so that a
/// tall matrix has more than one tile column. The largest side where matrices are a few vectors.
long sizeToCut(const std::vector<Extent> &extents);

/// A tile size that suits the size to cut and the number of computing threads: multiples of 8, 48 .. 1024; the
/// width of a matrix that is tall and narrow, unless tasks take its columns as panels.
///
/// Two forces: large tiles run the kernels nearer to the core's peak (one-core dgemm reaches 87% at 128 and 98% at 512
/// of its speed at 1024), small tiles give the threads something to do at the start and the end. Where one task
/// factors a whole panel, all others wait for it. The tables hold the best sizes measured on two cores, for Cholesky
/// and for LU and QR by panels; between their rows it is interpolated in log n, and for p threads scaled by sqrt(2 /
/// p), so that the number of tiles per thread stays the same. A measured search may replace the answer; it should stay
/// within a factor of two of this one.
int chooseTileSize(const runtime::Algorithm &algorithm, const std::vector<Extent> &extents, int threads);

/// Rounds up to the next of 8, 9, .. 15, 16, 18, .. 30, 32, 36, ..: eight sizes per octave, for which things are found
/// once.
long roundedUp(long size);

} // namespace tla::host
