// What a search for a kernel has found, as text, JSON and a page.
#pragma once

#include "tools/hetc/tune.hpp"
#include "tools/tuner/report.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hetc::tools {

/// A search that has ended. It refers to what its caller keeps.
struct EndedSearch {
  const TuneOptions &options;
  const tuning::Candidates &candidates;
  const tuning::Database &database;
  const tuning::Identity &identity;
  const tuning::TuneOutcome &outcome;
  const std::vector<tuning::Report::Step> &funnel;
  std::string databaseFile;
  int first = -1; ///< the default
  const tuning::Family &family;
  const std::function<tuning::Constants(int)> &constants; ///< constants of a candidate
  std::string folder;                                     ///< folder for temporary files

  std::string defaultName() const { return first >= 0 ? candidates.text(first) : ""; }
};

/// Prints the candidates that were tried, the failures, and the finalists.
void printReport(const EndedSearch &search);
/// Prints the fastest, beside what is used without tuning, the library and the limit.
void printVerdict(const EndedSearch &search);
/// Prints where the fastest candidate is used from now on, if not everywhere.
void printProducts(const tuning::Installed &installed);
/// Prints the whole as one JSON object.
void printJson(const EndedSearch &search, const std::optional<tuning::Installed> &installed);
/// Writes --report's file, SVG or HTML by its name. False after an error was shown.
bool writeReport(const EndedSearch &search);

} // namespace hetc::tools
