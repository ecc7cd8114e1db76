// The order in which candidates are tried.
//
// To add a strategy: a class here in strategy.cpp, and a row in its table.
#pragma once

#include "tools/tuner/candidates.hpp"

#include <memory>
#include <optional>

namespace hetc::tuning {

/// By candidate: its rate, 0 where it failed; none where it was not evaluated yet. What an earlier run found is in
/// there as well.
using Known = std::vector<std::optional<double>>;

class Strategy {
public:
  virtual ~Strategy() = default;
  /// Up to `count` >= 1 candidates to be evaluated next, none of them known, none twice. All of them are known at the
  /// next call. Empty: nothing is left to try.
  virtual std::vector<int> propose(const Known &known, int count) = 0;
};

/// "exhaustive": all, in order. "sample": random without repetition, each far from what is known. "local": climbs from
/// the best known to better neighbours; from a local maximum it starts again elsewhere.
const std::vector<std::string> &strategyNames();

/// One of strategyNames(); equal seeds give equal proposals. `candidates` must outlive it.
std::unique_ptr<Strategy> makeStrategy(const std::string &name, const Candidates &candidates, unsigned seed);

/// The candidate with the largest rate above 0, the first of several; -1: none.
int bestOf(const Known &known);

} // namespace hetc::tuning
