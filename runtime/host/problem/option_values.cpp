#include "runtime/host/problem/option_values.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>

namespace tla::host {

long integerOption(const std::string &option, const std::string &text, long low, long high) {
  const auto value = parseInteger(text);
  if (!value && text.find_first_not_of("+-0123456789") != std::string::npos)
    throw UsageError(option + " needs an integer, not '" + text + "'");
  if (!value || *value < low || *value > high)
    throw UsageError(option + " must be between " + std::to_string(low) + " and " + std::to_string(high) + ", not " +
                     text);
  return *value;
}

std::size_t nameOption(const std::string &option, const std::string &text, const std::vector<std::string> &names) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    throw UsageError(option + " must be " + alternatives(names) + ", not '" + text + "'");
  return static_cast<std::size_t>(found - names.begin());
}

Assignment assignmentOption(const std::string &option, const std::string &text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw UsageError(option + " needs NAME=VALUE, not '" + text + "'");
  return {std::string(trim(std::string_view(text).substr(0, equals))), text.substr(equals + 1)};
}

std::optional<Distribution> distributionOption(const std::string &option, const std::string &text) {
  if (text == "auto")
    return std::nullopt;
  return parsedOption(option, text, parseDistribution);
}

Period periodOption(const std::string &option, const std::string &text, const char *of) {
  const std::size_t by = text.find('x');
  const auto rows = parseInteger(text.substr(0, by)),
             columns = parseInteger(by == text.npos ? "" : text.substr(by + 1));
  constexpr long most = 1 << 20;
  if (!rows || !columns || *rows < 1 || *columns < 1 || *rows > most || *columns > most)
    throw UsageError(option + " needs rows and columns of " + of + ", such as 2x3, not '" + text + "'");
  return {static_cast<int>(*rows), static_cast<int>(*columns)};
}

double secondsOption(const std::string &option, const std::string &text) {
  const std::optional<double> value = parseReal(text);
  if (!value || !(*value >= 0) || *value > 1e9)
    throw UsageError(option + " needs a number of seconds, 0 for never, not '" + text + "'");
  return *value;
}

std::string sizeList(const std::string &letters) {
  std::string text;
  for (const char letter : letters)
    text += (text.empty() ? "" : ", ") + std::string(1, letter);
  return text;
}

} // namespace tla::host
