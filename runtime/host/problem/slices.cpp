#include "runtime/host/problem/slices.hpp"

#include "dsl/base/text.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>

namespace tla::host {

/// The width of slices by which the host gets as many of the columns as each of the others, B_h = B / (G + 1).
int widthForEqualRates(int slices, int nb, int accelerators) {
  const int narrow = slices - 1;
  const int width = accelerators > 0 ? nb / ((accelerators + 1) * narrow) : nb / slices;
  return std::clamp(width, 1, (nb - 1) / narrow);
}

Cut chooseCut(const runtime::Algorithm &algorithm, const Settings &settings, int nb, int accelerators) {
  const int slices = algorithm.slices();
  if (slices == 1) {
    if (settings.slice)
      throw UsageError("--slice: this program was compiled for whole tiles; compile it again with --split=S");
    return {};
  }
  if (nb < slices)
    throw UsageError(
        format("tiles of %d columns (--nb) cannot be cut into the %d slices that this program was compiled "
               "for; use --nb %d or more",
               nb, slices, slices));
  const Cut cut{slices, settings.slice ? *settings.slice : widthForEqualRates(slices, nb, accelerators)};
  if (!cut.fits(nb))
    throw UsageError(
        format("--slice %d: %d such %s of a tile of %d columns (--nb) nothing for the last one; use --slice "
               "%d or less",
               cut.width, slices - 1, slices == 2 ? "slice leaves" : "slices leave", nb, (nb - 1) / (slices - 1)));
  return cut;
}

std::string tilesText(int nb, Cut cut) {
  std::string text = format("nb = %d", nb);
  if (cut.slices == 1)
    return text;
  text += " in slices of ";
  for (int d = 0; d < cut.slices - 1; ++d)
    text += format("%d, ", cut.width);
  return text + std::to_string(nb - (cut.slices - 1) * cut.width);
}

} // namespace tla::host
