// What the values of options may be. Each function throws UsageError, with the option's name, for any other text.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/error.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tla::host {

/// Reads a whole number from `low` to `high`.
long integerOption(const std::string &option, const std::string &text, long low, long high);

/// Returns the name's place among `names`, by which the message lists them.
std::size_t nameOption(const std::string &option, const std::string &text, const std::vector<std::string> &names);

/// Returns the value of the name that `text` is.
template <typename Enum>
Enum enumOption(const std::string &option, const std::string &text,
                const std::vector<std::pair<std::string, Enum>> &known) {
  std::vector<std::string> names;
  for (const auto &each : known)
    names.push_back(each.first);
  return known[nameOption(option, text, names)].second;
}

/// Reads NAME=VALUE, neither of which may be empty.
Assignment assignmentOption(const std::string &option, const std::string &text);

/// Returns what parse(text) makes of the text. A mistake is a UsageError that does not name the option.
template <typename Parse> auto parsedOption(const std::string &option, const std::string &text, Parse parse) {
  try {
    return parse(text);
  } catch (const UsageError &error) {
    throw UsageError(option + ": " + error.what());
  }
}

/// Reads what parseDistribution() reads. Nothing: "auto", to be chosen.
std::optional<Distribution> distributionOption(const std::string &option, const std::string &text);

/// Reads rows and columns of `of`, as 2x3.
Period periodOption(const std::string &option, const std::string &text, const char *of);

/// Reads a number of seconds, 0 for never.
double secondsOption(const std::string &option, const std::string &text);

/// Returns "m, n" of "mn".
std::string sizeList(const std::string &letters);

} // namespace tla::host
