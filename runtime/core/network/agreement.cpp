#include "runtime/core/network/agreement.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

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
  for (const long number :
       {static_cast<long>(outcome.kind), outcome.info, static_cast<long>(outcome.row),
        static_cast<long>(outcome.column), static_cast<long>(outcome.slice), static_cast<long>(outcome.wentOn)})
    text += std::to_string(number) + separator;
  for (const std::string &name : {outcome.kernel, outcome.location, outcome.matrix})
    text += name.substr(0, longestName) + separator;
  text += outcome.message;
  return text.substr(0, longestText);
}

void readOutcome(const std::string &text, Outcome &outcome) {
  std::vector<std::string> fields = fieldsOf(text);
  fields.resize(10);
  outcome.kind = static_cast<Outcome::Kind>(numberOf(fields[0]));
  outcome.info = numberOf(fields[1]);
  outcome.row = static_cast<int>(numberOf(fields[2]));
  outcome.column = static_cast<int>(numberOf(fields[3]));
  outcome.slice = static_cast<int>(numberOf(fields[4]));
  outcome.wentOn = numberOf(fields[5]) != 0;
  outcome.kernel = fields[6];
  outcome.location = fields[7];
  outcome.matrix = fields[8];
  outcome.message = fields[9];
}

static bool isCompleteAt(const std::string &rank) {
  Outcome outcome;
  readOutcome(rank, outcome);
  return outcome.isComplete();
}

std::string firstOutcome(const std::vector<std::string> &byRank) {
  std::size_t first = 0;
  for (std::size_t rank = 1; rank < byRank.size(); ++rank)
    if (rankingOf(byRank[rank]) < rankingOf(byRank[first]))
      first = rank;
  Outcome outcome;
  readOutcome(byRank[first], outcome);
  outcome.wentOn = outcome.wentOn && std::ranges::all_of(byRank, isCompleteAt);
  return outcomeText(outcome);
}

void Agreement::begin() {
  stage_ = Stage::Computing;
  stopping_ = stopTold_ = stopNoticed_ = concluded_ = false;
  ended_.assign(rank_ == 0 ? ranks_ : 0, {});
  endedCount_ = 0;
  failed_.clear();
}

bool Agreement::noticeStop() {
  if (stopNoticed_ || !stopping())
    return false;
  stopping_ = stopNoticed_ = true;
  if (!stopTold_)
    controls_.tellOthers(Control::Stop);
  stopTold_ = true;
  return true;
}

/// The rank that failed has told all.
void Agreement::onStop() {
  stopTold_ = true;
  state_.stop();
}

void Agreement::fail(std::string message) {
  if (stage_ == Stage::Through)
    throw Error(message);
  Outcome outcome;
  outcome.kind = Outcome::Kind::Fault;
  outcome.message = std::move(message);
  if (stage_ == Stage::Computing) {
    failed_ = outcomeText(outcome);
    return state_.fail({Outcome::Kind::Fault, 0, std::move(outcome.message), nullptr, 0, nullptr, 0, 0});
  }
  mine_ = outcomeText(outcome);
  stopping_ = true;
}

void Agreement::propose(std::string outcome, bool cutShort) {
  mine_ = std::move(outcome);
  cutShort_ = cutShort;
  proposed_.store(true, std::memory_order_release);
}

/// A run that was cut short may be over before the courier has seen that in RunState.
bool Agreement::leave() {
  if (!proposed_.load(std::memory_order_relaxed) || !proposed_.exchange(false, std::memory_order_acquire))
    return false;
  stage_ = Stage::Leaving;
  ++count_;
  stopping_ |= cutShort_;
  if (!failed_.empty() && !cutShort_) { // RunState had ended the run by then
    mine_ = failed_;
    stopping_ = true;
  }
  return true;
}

void Agreement::sayEnd() {
  if (stage_ != Stage::Leaving)
    return;
  stage_ = Stage::Through;
  ++count_;
  controls_.tell(0, Control::End, mine_);
}

/// The outcome of the run is the first failure by place in program order, as far as ranks know it, else that every rank
/// is fine.
bool Agreement::onEnd(int source, const std::string &outcome) {
  ended_[source] = outcome;
  if (++endedCount_ < ranks_)
    return false;
  const std::string first = firstOutcome(ended_);
  controls_.tellOthers(Control::Done, first);
  conclude(first);
  return true;
}

void Agreement::conclude(const std::string &outcome) {
  agreed_ = outcome;
  concluded_ = true;
}

} // namespace tla::runtime
