// What the ranks of a run report of themselves, and all of them together.
#pragma once

#include "runtime/host/ranks/ranks.hpp"

#include <tla/runtime/executor.hpp>

namespace tla::host {

/// The statistics of each rank's part of a run, by rank, on rank 0; elsewhere nothing. Collective.
std::vector<runtime::Statistics> gatherStatistics(const runtime::Statistics &mine, Ranks &ranks);

/// The statistics of the whole run from those of its ranks: counts and memory added up, the longest time; workers
/// numbered through from rank to rank.
runtime::Statistics totalOf(const std::vector<runtime::Statistics> &byRank);

} // namespace tla::host
