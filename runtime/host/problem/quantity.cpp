#include "runtime/host/problem/quantity.hpp"

#include "dsl/base/text.hpp"

#include <tla/runtime/error.hpp>

#include <cmath>

namespace tla::host {
namespace {
constexpr double kibi = 1024, mebi = kibi * kibi, gibi = kibi * mebi, tebi = kibi * gibi;

/// A text without this end; nothing where it does not end so.
std::optional<std::string> without(const std::string &text, std::string_view end) {
  return text.ends_with(end) ? std::optional(text.substr(0, text.size() - end.size())) : std::nullopt;
}
} // namespace

std::optional<double> quantity(const std::string &text, std::initializer_list<Unit> units) {
  for (const Unit &unit : units)
    if (const auto digits = without(text, unit.name)) {
      const std::optional<double> value = parseReal(*digits);
      return value && *value > 0 && std::isfinite(*value) ? std::optional(*value * unit.size) : std::nullopt;
    }
  return std::nullopt;
}

double memoryOfNode(const std::string &text) {
  const auto bytes = quantity(text, {{"KiB", kibi},
                                     {"MiB", mebi},
                                     {"GiB", gibi},
                                     {"TiB", tebi},
                                     {"KB", 1e3},
                                     {"MB", 1e6},
                                     {"GB", 1e9},
                                     {"TB", 1e12},
                                     {"K", kibi},
                                     {"M", mebi},
                                     {"G", gibi},
                                     {"T", tebi}});
  if (bytes && *bytes < 0x1p62)
    return *bytes;
  if (parseReal(text))
    throw UsageError("--memory " + text + ": of what? a size has a unit, as 64G or 64GiB (2^30 bytes) or 64GB (10^9)");
  throw UsageError("--memory needs a size, as 64G or 500M, not '" + text + "'");
}

} // namespace tla::host
