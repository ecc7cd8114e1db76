// How fast the links between ranks are, for `hetc doctor --measure` under mpirun.
#pragma once

#include "runtime/host/ranks/ranks.hpp"

namespace tla::host {

/// A rank's link to the others, as [Ballard11] has it.
struct Link {
  double latency = 0;   ///< alpha, in seconds: half a round trip of eight bytes
  double bandwidth = 0; ///< 1 / beta, in bytes per second, of both directions together: both send megabytes at once
};

/// Pairs of ranks that are a power of two apart, one pair after the other while all others wait: some 0.2 s for each.
/// What a rank has with the best of its partners is its own link, as with the others their links are the slower ones. A
/// collective of at least two ranks; this rank's.
Link measureLink(Ranks &ranks);

} // namespace tla::host
