#include "runtime/host/problem/generators/matern.hpp"

#include "runtime/host/base/random.hpp"
#include "runtime/host/problem/generators/generated_source.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tla::host {
namespace {
struct Site {
  double x, y;
};

/// The bits of x and y interleaved: neighbours on the Morton curve are neighbours in the plane.
std::uint64_t mortonCode(std::uint32_t x, std::uint32_t y) {
  const auto spread = [](std::uint64_t v) {
    v = (v | v << 16) & 0x0000FFFF0000FFFFu;
    v = (v | v << 8) & 0x00FF00FF00FF00FFu;
    v = (v | v << 4) & 0x0F0F0F0F0F0F0F0Fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (v | v << 1) & 0x5555555555555555u;
  };
  return spread(x) | spread(y) << 1;
}

/// The first n cells of a side x side grid, row by row, in Morton order.
std::vector<std::uint64_t> mortonCells(long n, long side) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cells(static_cast<std::size_t>(n));
  for (long c = 0; c < n; ++c)
    cells[c] = {mortonCode(static_cast<std::uint32_t>(c % side), static_cast<std::uint32_t>(c / side)), c};
  std::sort(cells.begin(), cells.end());
  std::vector<std::uint64_t> order;
  order.reserve(cells.size());
  for (const auto &[code, cell] : cells)
    order.push_back(cell);
  return order;
}

std::vector<Site> makeSites(long n, std::uint64_t key) {
  const long side = std::max(1L, static_cast<long>(std::ceil(std::sqrt(static_cast<double>(n)))));
  std::vector<Site> sites;
  sites.reserve(static_cast<std::size_t>(n));
  for (const std::uint64_t cell : mortonCells(n, side)) {
    const double dx = 0.8 * uniformHalf(randomBits(key, 2 * cell)),
                 dy = 0.8 * uniformHalf(randomBits(key, 2 * cell + 1));
    sites.push_back({(static_cast<double>(cell % side) + 0.5 + dx) / static_cast<double>(side),
                     (static_cast<double>(cell / side) + 0.5 + dy) / static_cast<double>(side)});
  }
  return sites;
}

/// Smoothness p + 1/2: the Bessel function is a polynomial of degree p times an exponential.
template <int p> double correlation(double x) {
  if constexpr (p == 0)
    return std::exp(-x);
  else if constexpr (p == 1)
    return (1 + x) * std::exp(-x);
  else
    return (1 + x + x * x / 3) * std::exp(-x);
}

template <int p> struct Matern {
  std::vector<Site> sites;
  double inverseRange, nugget;

  template <typename T> auto column(long j) const {
    return [this, j, at = sites[static_cast<std::size_t>(j)]](long i) -> T {
      const Site &site = sites[static_cast<std::size_t>(i)];
      const double dx = site.x - at.x, dy = site.y - at.y;
      const double value = correlation<p>(std::sqrt(dx * dx + dy * dy) * inverseRange);
      return static_cast<T>(i == j ? value + nugget : value);
    };
  }
};
} // namespace

std::unique_ptr<MatrixSource> makeMatern(const std::string &text, const MaternParameters &parameters, long n,
                                         std::uint64_t key) {
  std::vector<Site> sites = makeSites(n, key);
  const double inverse = 1 / parameters.range;
  if (parameters.smoothness == 0.5)
    return makeGenerated(text, Matern<0>{std::move(sites), inverse, parameters.nugget});
  if (parameters.smoothness == 1.5)
    return makeGenerated(text, Matern<1>{std::move(sites), inverse, parameters.nugget});
  return makeGenerated(text, Matern<2>{std::move(sites), inverse, parameters.nugget});
}

} // namespace tla::host
