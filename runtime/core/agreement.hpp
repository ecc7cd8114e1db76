// How several ranks come to one outcome of a run.
#pragma once

#include <tla/runtime/executor.hpp>

#include <string>
#include <vector>

namespace tla::runtime {

/// What other ranks need to know of an outcome, in at most 480 bytes: everything but the statistics. A long message is
/// cut.
std::string outcomeText(const Outcome &outcome);
/// The other way round; leaves the statistics.
void readOutcome(const std::string &text, Outcome &outcome);
/// The one that the run reports: a fault before an info, of several infos the smallest, which LAPACK would have met
/// first; then an interrupt; else that all is fine. Among equals that of the lowest rank.
std::string firstOutcome(const std::vector<std::string> &byRank);

} // namespace tla::runtime
