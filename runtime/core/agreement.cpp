#include "runtime/core/agreement.hpp"

#include <tuple>

namespace tla::runtime {
namespace {
constexpr char separator = '\x1f';
constexpr std::size_t longestText = 480, longestName = 80;

std::vector<std::string> fieldsOf(const std::string &text) {
  std::vector<std::string> fields(1);
  for (const char c : text)
    if (c == separator)
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

long numberOf(const std::string &text) { return text.empty() ? 0 : std::stol(text); }

/// Smaller is said first.
std::tuple<int, long> rankingOf(const std::string &text) {
  Outcome outcome;
  readOutcome(text, outcome);
  switch (outcome.kind) {
  case Outcome::Kind::Fault:
    return {0, 0};
  case Outcome::Kind::Numerical:
    return {1, outcome.info};
  case Outcome::Kind::Interrupted:
    return {2, 0};
  case Outcome::Kind::Finished:
    break;
  }
  return {3, 0};
}
} // namespace

std::string outcomeText(const Outcome &outcome) {
  std::string text;
  for (const long number : {static_cast<long>(outcome.kind), outcome.info, static_cast<long>(outcome.row),
                            static_cast<long>(outcome.column), static_cast<long>(outcome.slice)})
    text += std::to_string(number) + separator;
  for (const std::string &name : {outcome.kernel, outcome.location, outcome.matrix})
    text += name.substr(0, longestName) + separator;
  text += outcome.message;
  return text.substr(0, longestText);
}

void readOutcome(const std::string &text, Outcome &outcome) {
  std::vector<std::string> fields = fieldsOf(text);
  fields.resize(9);
  outcome.kind = static_cast<Outcome::Kind>(numberOf(fields[0]));
  outcome.info = numberOf(fields[1]);
  outcome.row = static_cast<int>(numberOf(fields[2]));
  outcome.column = static_cast<int>(numberOf(fields[3]));
  outcome.slice = static_cast<int>(numberOf(fields[4]));
  outcome.kernel = fields[5];
  outcome.location = fields[6];
  outcome.matrix = fields[7];
  outcome.message = fields[8];
}

std::string firstOutcome(const std::vector<std::string> &byRank) {
  std::size_t first = 0;
  for (std::size_t rank = 1; rank < byRank.size(); ++rank)
    if (rankingOf(byRank[rank]) < rankingOf(byRank[first]))
      first = rank;
  return byRank[first];
}

} // namespace tla::runtime
