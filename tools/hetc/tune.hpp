// The parts of hetc tune.
#pragma once

#include "tools/hetc/tune_sample.hpp"
#include "tools/tuner/tuner.hpp"

#include <string>
#include <vector>

namespace hetc::tools {

struct TuneOptions {
  std::string kernel, spaceFile;
  std::vector<std::string> settings; ///< NAME=VALUE for parameters of the space
  bool count = false, json = false;
  int threads = 1;

  std::string target = "cpu", type = "d", databaseFile, reportFile;
  std::vector<int> sizes;
  bool resume = false;
  tuning::TuneRules rules;

  SampleOptions sample;
  std::string ops = "nn"; ///< operations of the sample
};

/// A message to standard error; the exit code of wrong input.
int failTune(const std::string &message);

/// A space as it was read, and its text for messages.
struct SpaceFile {
  std::string name, text;
  tuning::EnumerationPlan plan;

  /// A message at a place of the file; 2.
  int reject(const tuning::Diagnostic &diagnostic) const;
};

/// The space of the options; parameters of the names in `device` get these values, then come the options' own. Empty
/// after an error was shown.
std::optional<SpaceFile> readSpace(const TuneOptions &options, const tuning::Constants &device);

struct Enumerated {
  tuning::Enumeration result;
  double seconds = 0;
};

/// Goes through the space. Empty after an error was shown.
std::optional<Enumerated> enumerateSpace(const SpaceFile &space, int threads, bool collectPoints);

/// hetc tune --count: the funnel. Returns the exit code.
int countCandidates(const TuneOptions &options, const SpaceFile &space);

/// hetc tune: measures. Returns the exit code.
int searchCandidates(const TuneOptions &options, const tuning::Family &family, const SpaceFile &space);

} // namespace hetc::tools
