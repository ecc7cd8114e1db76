// What has to be the same on all ranks of a run, and the check that it is.
#pragma once

#include "runtime/host/ranks/ranks.hpp"

#include <string>
#include <vector>

namespace tla::host {

/// A property that must be the same on all ranks, and its value on this one. The value of "options" is packed
/// (packed_text.hpp).
struct Trait {
  std::string name, value;
  std::string advice = {}; ///< advice where the value differs
};

/// The first difference between a rank and another, rank 0 as a rule: "rank 2 has other options than rank 0: '-n 500'
/// instead of '-n 400'". Empty when they are alike.
std::string difference(int rank, const std::vector<Trait> &theirs, const std::vector<Trait> &first, int firstRank = 0);

/// Collective. Throws UsageError, on all ranks, for the lowest rank that differs from rank 0; where ranks are of
/// several kinds, from the lowest of its own.
void requireSameTraits(Ranks &ranks, const std::vector<Trait> &mine, const std::string &kind = "");

} // namespace tla::host
