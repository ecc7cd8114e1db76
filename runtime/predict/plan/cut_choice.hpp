// How wide the host's slices of a cut tile are ([Song12] 3.2).
#pragma once

#include "runtime/predict/rates/rates.hpp"

#include <functional>

namespace tla::host {

/// A tile of B x B: slices - 1 narrow slices of `width` columns for the host, and a last one with the rest for an
/// accelerator. One slice: the tile is not cut.
struct CutChoice {
  int slices = 1, width = 0;
  int hostColumns() const { return (slices - 1) * width; } ///< [Song12]'s Bh
  bool operator==(const CutChoice &) const = default;
};

inline constexpr int mostSlices = 16;

/// [Song12] 3.2: host and accelerators need the same time for their parts of a tile of nb x nb when the host's are
///
///   Bh = B f_core cores / (f_core cores + sum over accelerators of f_gpu)
///
/// columns wide, f being operations per second of the dominant kernel. f_gpu is that on tiles of nb; f_core that on
/// tiles of the width of a slice, so that Bh and the width are found together. There are as many slices as make them
/// about as wide as a core needs for nine tenths of its best rate, 64 at least: narrower ones are slow, wider ones too
/// few to share. Widths are multiples of 8. Not cut: when nothing is known of a kernel, there are no cores or no
/// accelerators, and when the host's part would be less than 8 columns.
CutChoice cutFor(const NodeRates &rates, const std::string &kernel, int cores, int nb);

/// The width, in columns, of all slices but the last when a tile of nb is cut into `slices`, at least 2, balanced as by
/// cutFor(). 0 when nothing is known of the kernel, or there is no room for that many.
int widthFor(const NodeRates &rates, const std::string &kernel, int cores, int slices, int nb);

/// The times of a trial of a choice: seconds of computing, per core of the host and on the busiest accelerator.
struct CutTrial {
  double host, accelerators;
};

/// The fine tuning that [Song12] 3.2 describes: from `start` on, widths between which the busier side changes are
/// bisected until they are neighbours, for the least difference between the two. `trial` runs a problem of three tile
/// columns for each accelerator; nothing: it could not, and what is best so far is the answer. The number of slices
/// stays. At most eight trials.
CutChoice searchCut(const CutChoice &start, int nb, const std::function<std::optional<CutTrial>(CutChoice)> &trial);

} // namespace tla::host
