// Rates of all candidates of a space, so that strategies can be judged without measuring.
#pragma once

#include "tools/tuner/strategy.hpp"

#include <functional>
#include <string>

namespace hetc::tuning {

struct Landscape {
  std::string name;
  Candidates candidates;
  std::vector<double> rates; ///< rate of each candidate; 0: it failed
  int first = -1;            ///< the default configuration
};

/// A database of an exhaustive run of hetc tune, as it is.
Landscape readLandscape(const std::string &file);

/// All candidates of a .space file with rates of a model: factors for each iterator, two that act together, and noise.
Landscape modelLandscape(const std::string &spaceFile);

/// The best rate that a strategy has found after `evaluations`, the default being the first of them, as a part of the
/// best there is.
double qualityOf(const std::string &strategy, const Landscape &landscape, int evaluations, unsigned seed);

} // namespace hetc::tuning
