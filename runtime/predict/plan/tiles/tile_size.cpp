#include "runtime/predict/plan/tiles/tile_size.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tla::host {
namespace {
struct Row {
  double n, nb;
};
constexpr Row measured[] = {{250, 64}, {500, 128}, {1000, 192}, {2000, 320}, {4000, 400}, {8000, 448}, {32000, 672}};
/// Between LU, which would have them larger from n = 2000 on, and QR, which would have them smaller.
constexpr Row measuredPanels[] = {{250, 48},   {500, 64},   {1000, 104}, {2000, 160},
                                  {4000, 200}, {8000, 320}, {32000, 400}};
constexpr double smallest = 48, largest = 1024, measuredThreads = 2;
constexpr int step = 8;                 // tiles begin and end on cache lines
constexpr std::size_t pageBytes = 4096; // columns this far apart fall into the same cache sets: some 10% slower
constexpr double tilesPerRank = 8;      // per side, that share the work evenly
// One thread makes the tasks of all, a task in so many seconds; three times as many as are done at a time, since a
// graph is not always wide. A core that is slower than this one only has longer tasks.
constexpr double secondsOfGeneration = 0.3e-6, atATime = 3, flopsPerSecondOfCore = 1e11;
constexpr int manyThreads = 16;
constexpr int tilesPerThread = 4; // of a matrix of one tile column
/// A tall matrix that is no wider is one column of tiles.
constexpr long widestColumn = 256;

double interpolate(std::span<const Row> rows, double n) {
  if (n <= rows.front().n)
    return rows.front().nb;
  if (n >= rows.back().n)
    return rows.back().nb;
  const auto above = std::ranges::find_if(rows, [&](const Row &row) { return row.n >= n; });
  const Row &low = above[-1], &high = *above;
  const double part = std::log(n / low.n) / std::log(high.n / low.n);
  return low.nb + part * (high.nb - low.nb);
}
/// The tile whose product lasts as long as it takes to make a task for every other thread.
double sizeToFeed(int threads) {
  return std::cbrt(atATime * std::max(1, threads) * secondsOfGeneration * flopsPerSecondOfCore / 2);
}

/// Rows enough to keep the threads busy without cutting the columns.
bool isTall(const std::vector<Extent> &extents, long columns) {
  return std::ranges::any_of(extents, [&](const Extent &extent) { return extent.rows >= 32 * columns; });
}
} // namespace

long sizeToCut(const std::vector<Extent> &extents) {
  constexpr long fewVectors = 32;
  long smaller = 0, largest = 0;
  for (const Extent &extent : extents) {
    smaller = std::max(smaller, std::min(extent.rows, extent.columns));
    largest = std::max({largest, extent.rows, extent.columns});
  }
  return smaller < fewVectors ? largest : smaller;
}

int chooseTileSize(const runtime::Algorithm &algorithm, const std::vector<Extent> &extents, int threads, int nodes) {
  const long n = sizeToCut(extents);
  const bool panels = std::any_of(algorithm.matrices, algorithm.matrices + algorithm.matrixCount,
                                  [](const runtime::MatrixParameter &matrix) { return matrix.panels; });
  if (!panels && n > 0 && n <= widestColumn && isTall(extents, n))
    return static_cast<int>((n + step - 1) / step * step);
  const double scale = std::min(1.0, std::sqrt(measuredThreads / (std::max(1.0, double(threads)) * nodes)));
  const auto rows = panels ? std::span<const Row>(measuredPanels) : std::span<const Row>(measured);
  const double onFewThreads = interpolate(rows, static_cast<double>(n));
  const double atLeast = std::min(onFewThreads, sizeToFeed(threads));
  const double nb = std::round(std::max(onFewThreads * scale, atLeast) / step) * step;
  return static_cast<int>(std::clamp(nb, smallest, largest));
}

bool isTall(const std::vector<Extent> &extents) {
  constexpr long ratio = 32, mostColumns = 512;
  const long columns = sizeToCut(extents);
  return columns <= mostColumns && std::ranges::any_of(extents, [columns](const Extent &extent) {
           return extent.columns == columns && extent.rows >= ratio * columns;
         });
}

std::vector<int> tileCandidates(long side, int guess, const TilesFor &problem) {
  const long parts = std::max(1L, std::lround(static_cast<double>(side) / guess));
  std::vector<long> counts{parts, parts + 1, parts - 1, parts * 2 / 3, parts / 2, parts + 2, parts - 2};
  if (problem.threads >= manyThreads)
    counts.insert(counts.begin() + 1, {parts / 2, parts * 2 / 3, parts / 3, parts / 4, parts / 6});
  if (problem.isTall)
    counts.insert(counts.begin() + 1, {2, 1});
  if (problem.accelerators)
    counts.insert(counts.end(), {3 * parts / 2, 2 * parts, parts / 3, parts / 4});
  const double enough = tilesPerRank * std::ceil(std::sqrt(problem.ranks));
  for (const long more : {4 * parts, 3 * parts, 2 * parts, 3 * parts / 2})
    if (problem.ranks > 1 && static_cast<double>(more) <= enough)
      counts.insert(counts.begin(), more);
  std::vector<int> sizes;
  const auto add = [&](long exact) {
    int nb = static_cast<int>((exact + step - 1) / step * step);
    if (nb * problem.elementBytes % pageBytes == 0)
      nb += step;
    if (std::find(sizes.begin(), sizes.end(), nb) == sizes.end())
      sizes.push_back(nb);
  };
  if (problem.isTall && !problem.accelerators) {
    const long mostRows = problem.rows / (tilesPerThread * problem.threads * problem.ranks);
    add((side + parts - 1) / parts);
    for (long nb = 2 * side; nb <= mostRows && nb <= largest; nb *= 2)
      add(nb);
  }
  for (const long count : counts)
    if (count >= 1)
      add((side + count - 1) / count);
  return sizes;
}

std::vector<int> withSmallerTiles(std::vector<int> sizes, long side, int guess) {
  const long parts = std::max(1L, std::lround(static_cast<double>(side) / guess));
  for (const long count : {3 * parts / 2, 2 * parts, 5 * parts / 2})
    if (const int nb = static_cast<int>((side / count + step - 1) / step * step);
        nb >= smallest && std::ranges::find(sizes, nb) == sizes.end())
      sizes.insert(sizes.begin(), nb);
  return sizes;
}

} // namespace tla::host
