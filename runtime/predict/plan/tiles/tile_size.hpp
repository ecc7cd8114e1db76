// The tile size when the user gives none, and those that a search tries.
#pragma once

#include "runtime/host/problem/sizes.hpp"

#include <cstddef>
#include <vector>

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
/// p), so that the number of tiles per thread stays the same; but not below the size whose tasks one thread can hand to
/// the `threads` of a node (64 of them: 144, 128: 184). A measured search may replace the answer; it should stay within
/// a factor of two of this one on few threads, of four on many.
int chooseTileSize(const runtime::Algorithm &algorithm, const std::vector<Extent> &extents, int threads, int nodes = 1);

/// The problem for which a search tries tile sizes, as far as that decides which.
struct TilesFor {
  std::size_t elementBytes = 8;
  int ranks = 1;
  bool accelerators = false;
  bool isTall = false; ///< isTall() of the matrices
  long rows = 0;       ///< the number of the tallest one's
  int threads = 1;     ///< the number of each rank's
};

/// Whether the search cuts the few columns of a matrix that has many more rows.
bool isTall(const std::vector<Extent> &extents);

/// Tile sizes that cut `side` into equal parts, the most promising first: as many parts as `guess` says, then one more
/// and one less, then sizes further away. Hardly smaller ones: the sample of small tiles stays in the caches, and
/// promises more than the whole problem keeps. But on several ranks tiles have owners, who share the work evenly only
/// when each has several in every tile row and column: there smaller ones come first, before the time is spent. Of a
/// tall matrix all columns may be one tile wide, as idle threads help with the panel, and tiles taller than wide, while
/// each thread has four of them. On many threads the guess is about as small as tasks may be, and larger sizes come
/// first.
/// Accelerators may want larger tiles than cores do, or smaller ones, so that their columns are even shares.
///
/// For 4000 x 4000 doubles: with a guess of 200 on one rank 20 parts, then 21, 19, 13, 10, 22, 18, that is tiles of
/// 200, 192, 216, 312, 400, 184, 224. With a guess of 1000, 4 parts, on 4 ranks each of which is to have 8 tile rows of
/// 16 in all: 6, 8, 12, 16 parts first (672, 504, 336, 256), then 4, 5, 3, 2 (1000, 800, 1336, 2000).
std::vector<int> tileCandidates(long side, int guess, const TilesFor &problem);

/// Sizes far below the guess, for a program whose own kernels do a good part of the work: the guess suits
/// factorizations by hetc's. The smallest first, whose sample takes least. For 2000 with a guess of 160: 64, 80, 104,
/// and the others.
std::vector<int> withSmallerTiles(std::vector<int> sizes, long side, int guess);

/// Rounds up to the next of 8, 9, .. 15, 16, 18, .. 30, 32, 36, ..: eight sizes per octave, for which things are found
/// once.
long roundedUp(long size);

} // namespace tla::host
