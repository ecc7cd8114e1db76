// What a search found, as one page: all candidates sorted by rate, and how many have which rate (the paper's Figure 8),
// what the constraints removed, and the best beside library and limit.
#pragma once

#include "tools/tuner/database.hpp"

namespace hetc::tuning {

struct Report {
  std::string title;
  std::vector<std::string> notes; ///< lines below it
  std::vector<double> rates;      ///< rates of all rated candidates, Gflop/s, in any order
  std::vector<Finalist> finalists;
  std::string defaultName; ///< name of the default among them; may be empty
  struct Step {
    std::string name;
    double left;
  };
  std::vector<Step> funnel; ///< the raw space first
};

/// The figure alone, as a file.
std::string svgOf(const Report &report);
/// A page with the figure and its numbers, which needs nothing else.
std::string htmlOf(const Report &report);

} // namespace hetc::tuning
