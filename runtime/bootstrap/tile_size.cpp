#include "runtime/bootstrap/tile_size.hpp"

#include <algorithm>
#include <cmath>

namespace tla::bootstrap {
namespace {
struct Row {
  double n, nb;
};
constexpr Row measured[] = {{250, 64}, {500, 128}, {1000, 192}, {2000, 320}, {4000, 640}, {8000, 800}, {32000, 1024}};
constexpr double smallest = 64, largest = 1024, step = 32, measuredThreads = 2;

double interpolate(double n) {
  const Row *const last = std::end(measured) - 1;
  if (n <= measured[0].n)
    return measured[0].nb;
  if (n >= last->n)
    return last->nb;
  const Row *const above =
      std::find_if(std::begin(measured), std::end(measured), [&](const Row &row) { return row.n >= n; });
  const Row &low = above[-1], &high = *above;
  const double part = std::log(n / low.n) / std::log(high.n / low.n);
  return low.nb + part * (high.nb - low.nb);
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

int chooseTileSize(const runtime::Algorithm &, const std::vector<Extent> &extents, int threads) {
  const long n = sizeToCut(extents);
  const double scale = std::min(1.0, std::sqrt(measuredThreads / std::max(1, threads)));
  const double nb = std::round(interpolate(static_cast<double>(n)) * scale / step) * step;
  return static_cast<int>(std::clamp(nb, smallest, largest));
}

} // namespace tla::bootstrap
