// What the courier does as its watchdog advises, and what it says then.
#include "runtime/core/courier.hpp"

#include <algorithm>
#include <cstdio>

namespace tla::runtime {
namespace {

/// A task in the window that waits, and for what. Only while nothing moves.
std::string blockedText(const Task &task) {
  std::string text = task.taskClass->kernel;
  if (const Version *output = task.mainOutput())
    text += " on " + output->table->tileName(output->row, output->column);
  text += " waits";
  for (int i = 0; i < task.nodeCount; ++i) {
    const AccessNode &node = task.node(i);
    const Version *version = node.version();
    if (node.kind() == AccessNode::Read && version->waiters.load(std::memory_order_acquire) != Version::closed())
      text += " for " + tileText(*version) + " (version " + std::to_string(version->number) + ")";
  }
  return text;
}

std::string rankText(std::int64_t rank) { return "rank " + std::to_string(rank); }
std::string ordinalText(std::uint32_t ordinal) { return "message " + std::to_string(ordinal); }

/// What came first, a line each below the title.
std::string listText(const std::string &title, const std::vector<std::string> &lines) {
  constexpr std::size_t shown = 20;
  std::string text = title;
  for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i)
    text += (i == 0 ? ":\n  " : "\n  ") + lines[i];
  if (lines.size() > shown)
    text += "\n  and " + std::to_string(lines.size() - shown) + " more";
  return text;
}

} // namespace

void Courier::watch() {
  const std::uint64_t progress = progressMade_ + computing_.tasksDone() + engine_.loops.steps();
  obey(watchdog_.look(Clock::now(), {progress, !computing_.running().empty(), stage_ == Stage::Computing}));
}

void Courier::obey(const Watchdog::Advice &advice) {
  if (advice.active)
    tell(0, Control::Active);
  if (advice.ask)
    tell(nextRank(), Control::Ask);
  if (advice.slow)
    say(listText("nothing has finished for " + secondsText(watchdog_.stillness().count()) + "; still running",
                 computing_.running()));
  if (advice.idle)
    tell(0, Control::Idle);
  switch (advice.end) {
  case Watchdog::End::None:
    break;
  case Watchdog::End::Silent:
    return giveUp(rankText(nextRank()) + " has not answered for " + secondsText(watchdog_.silence().count()) +
                  ": its process stands still, or its machine cannot be reached");
  case Watchdog::End::Absent:
    return giveUp(rankText(nextRank()) + " has not come to this run for " + secondsText(watchdog_.silence().count()));
  case Watchdog::End::Stuck:
    return giveUp(stage_ == Stage::Computing ? listText("this rank does not end", doings()) : "other ranks do not end");
  }
}

/// All ranks, also those that are through: one that has just come through has sent others what they go on with, and
/// these say so only when they look next.
void Courier::onIdle(int source, bool idle) {
  if (idle)
    idleRanks_.insert(source);
  else
    idleRanks_.erase(source);
  if (static_cast<int>(idleRanks_.size()) < transport_.size())
    return;
  for (int rank = 1; rank < transport_.size(); ++rank)
    tell(rank, Control::Blocked);
  onBlocked();
}

/// Also on a rank that is through, or has failed already: it must not wait for ever for one that cannot end.
void Courier::onBlocked() {
  watchdog_.blocked();
  if (stage_ == Stage::Through) // in the meantime
    return;
  const std::string seconds = secondsText(engine_.options.watchdogSeconds);
  say(listText("nothing has happened for " + seconds, doings()));
  failAlone("no task has finished and no byte has moved on any rank for " + seconds);
}

void Courier::say(const std::string &what) const {
  std::fputs(("hetc: " + rankText(transport_.rank()) + ": " + what + "\n").c_str(), stderr);
}

/// What this rank does and waits for, a line each. The window is the generating thread's while that is in its loops.
std::vector<std::string> Courier::doings() const {
  std::vector<std::string> lines = computing_.running();
  const auto add = [&lines](const std::vector<std::string> &more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  const std::string loops = engine_.loops.text();
  if (!loops.empty())
    lines.push_back(loops);
  add(blockedTransfers());
  if (loops.empty())
    add(blockedTasks());
  return lines;
}

std::vector<std::string> Courier::blockedTasks() const {
  std::vector<std::string> lines;
  engine_.window.forEachTask([&](const Task &task) {
    if (task.pending.load(std::memory_order_acquire) > 0)
      lines.push_back(blockedText(task));
  });
  return lines;
}

/// Messages that have not come, or that nobody takes, a line each.
std::vector<std::string> Courier::blockedTransfers() const {
  std::vector<std::string> lines;
  for (const auto &[id, task] : expected_)
    lines.push_back(ordinalText(ordinalOf(*task)) + " of " + rankText(peerOf(*task)) + ", " +
                    tileText(versionOf(*task)) + ": not arrived");
  for (const auto &flight : flights_)
    if (flight->kind == Flight::Send)
      lines.push_back(ordinalText(ordinalOf(*flight->task)) + " to " + rankText(peerOf(*flight->task)) + ", " +
                      tileText(versionOf(*flight->task)) + ": not taken");
    else if (flight->kind == Flight::Forward)
      lines.push_back(ordinalText(flight->to.ordinal) + " of " + rankText(flight->origin) + ", forwarded to " +
                      rankText(flight->to.rank) + ": not taken");
  for (const auto &[id, send] : delegated_)
    lines.push_back(ordinalText(ordinalOf(id)) + " to " + rankText(rankOf(id)) + ", " +
                    tileText(versionOf(*send.task)) + ", left to " + rankText(send.relay) + ": not taken");
  for (const auto &[id, relay] : relays_)
    lines.push_back(ordinalText(ordinalOf(id)) + " of " + rankText(rankOf(id)) +
                    ", to be forwarded: " + (relay.content ? "nobody has said to whom" : "not arrived"));
  return lines;
}

} // namespace tla::runtime
