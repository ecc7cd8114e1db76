// The courier's watchdog. A rank without progress for the time says so to rank 0; when all ranks that are not through
// have said so, nothing can ever happen again, and all say what they wait for.
#include "runtime/core/courier.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

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

/// "60 s", "0.25 s"
std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

} // namespace

void Courier::watch() {
  const auto now = Clock::now();
  if (engine_.options.watchdogSeconds <= 0 || concluded_ || now - lastWatch_ < watchInterval())
    return;
  lastWatch_ = now;
  const std::uint64_t made = progressMade_ + tasksDone_();
  if (made != progressSeen_) {
    progressSeen_ = made;
    lastProgress_ = now;
    if (std::exchange(saidIdle_, false))
      tell(0, Control::Active);
  } else if (!saidIdle_ && now - lastProgress_ > std::chrono::duration<double>(engine_.options.watchdogSeconds)) {
    saidIdle_ = true;
    tell(0, Control::Idle);
  }
}

Courier::Clock::duration Courier::watchInterval() const {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(1.0, engine_.options.watchdogSeconds / 4)));
}

void Courier::onIdle(int source, bool idle) {
  if (idle)
    idleRanks_.insert(source);
  else
    idleRanks_.erase(source);
  blockedIfAllIdle();
}

void Courier::blockedIfAllIdle() {
  if (idleRanks_.empty() || static_cast<int>(idleRanks_.size()) + endedCount_ < transport_.size())
    return;
  idleRanks_.clear();
  for (int rank = 1; rank < transport_.size(); ++rank)
    if (ended_[rank].empty())
      tell(rank, Control::Blocked);
  if (ended_[0].empty())
    reportBlocked();
}

void Courier::reportBlocked() {
  if (stage_ == Stage::Through) // in the meantime
    return;
  std::vector<std::string> lines = blockedTransfers();
  engine_.window.forEachTask([&](const Task &task) {
    if (task.pending.load(std::memory_order_acquire) > 0)
      lines.push_back(blockedText(task));
  });
  constexpr std::size_t shown = 20;
  const std::string seconds = secondsText(engine_.options.watchdogSeconds);
  std::string text =
      "hetc: " + rankText(transport_.rank()) + ": nothing has happened for " + seconds + "; blocked are\n";
  for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i)
    text += "  " + lines[i] + "\n";
  if (lines.size() > shown)
    text += "  and " + std::to_string(lines.size() - shown) + " more\n";
  std::fputs(text.c_str(), stderr);
  failAlone("no task has finished and no byte has moved on any rank for " + seconds);
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
