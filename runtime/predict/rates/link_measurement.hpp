// How fast the links between ranks are, for `hetc doctor --measure` under mpirun.
#pragma once

#include "runtime/host/ranks/ranks.hpp"

namespace tla::host {

/// A rank's link to the others, as [Ballard11] has it.
struct Link {
  double latency = 0;   ///< alpha, in seconds: half a round trip of eight bytes
  double bandwidth = 0; ///< 1 / beta, in bytes per second, of both directions together: both send megabytes at once
};

/// The steps that measure all pairs of ranks that are `distance` apart: one pair in each step, or half of all in each
/// of two, those that begin in every second group of `distance` ranks. No rank is in two pairs of a step, and each pair
/// is in one step.
class LinkSteps {
public:
  LinkSteps(int ranks, int distance, bool atOnce) : ranks_(ranks), distance_(distance), atOnce_(atOnce) {}
  int count() const { return atOnce_ ? 2 : ranks_ - distance_; }
  /// The rank with which `rank` is a pair in the step; -1: it is in none.
  int partner(int rank, int step) const {
    const bool begins = atOnce_ ? rank / distance_ % 2 == step : rank == step;
    const bool ends = atOnce_ ? !begins && rank >= distance_ : rank == step + distance_;
    const int partner = begins ? rank + distance_ : ends ? rank - distance_ : -1;
    return partner < ranks_ ? partner : -1;
  }

private:
  const int ranks_, distance_;
  const bool atOnce_;
};

/// Pairs of ranks that are a power of two apart. Up to `mostInTurn` ranks one pair after the other while all others
/// wait: some 0.2 s for each, P log P of them. Among more ranks half of the pairs of a distance at once, 2 log P times
/// 0.2 s; ranks that share a port then have less of it, as they have in a run. What a rank has with the best of its
/// partners is its own link, as with the others their links are the slower ones. A collective of at least two ranks;
/// this rank's.
Link measureLink(Ranks &ranks, int mostInTurn = 32);

} // namespace tla::host
