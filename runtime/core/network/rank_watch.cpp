#include "runtime/core/network/rank_watch.hpp"

#include "runtime/core/network/transfer.hpp"

#include <algorithm>
#include <chrono>
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

/// A list of the first lines below the title.
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

RankWatch::RankWatch(Window &window, const LoopProgress &loops, double watchdogSeconds, Transport &transport,
                     ControlMessages &controls, Agreement &agreement, Computing computing,
                     std::function<std::vector<std::string>()> transfers)
    : window_(window), loops_(loops), watchdogSeconds_(watchdogSeconds), transport_(transport), controls_(controls),
      agreement_(agreement), computing_(std::move(computing)), transfers_(std::move(transfers)),
      rank_(transport.rank()), ranks_(transport.size()),
      interval_(Clock::ticks(Watchdog(watchdogSeconds).interval().count())), watchdog_(watchdogSeconds) {}

void RankWatch::begin() {
  idleRanks_.clear();
  watchdog_.begin(std::chrono::steady_clock::now());
  nextLook_ = Clock::now();
}

void RankWatch::look(Ticks now, std::uint64_t progress) {
  if (!watchdog_.on() || static_cast<std::int64_t>(now - nextLook_) < 0)
    return;
  nextLook_ = now + interval_;
  progress += computing_.tasksDone() + loops_.steps();
  obey(watchdog_.look(std::chrono::steady_clock::now(),
                      {progress, !computing_.running().empty(), agreement_.stage() == Agreement::Stage::Computing}));
}

void RankWatch::leave() {
  if (watchdog_.on())
    controls_.tell(previousRank(), Control::Left);
}

void RankWatch::giveUp(const std::string &why) {
  say(why);
  transport_.abort(4);
}

void RankWatch::obey(const Watchdog::Advice &advice) {
  if (advice.active)
    controls_.tell(0, Control::Active);
  if (advice.ask)
    controls_.tell(nextRank(), Control::Ask);
  if (advice.slow)
    say(listText("nothing has finished for " + secondsText(watchdog_.stillness().count()) + "; still running",
                 computing_.running()));
  if (advice.idle)
    controls_.tell(0, Control::Idle);
  switch (advice.end) {
  case Watchdog::End::None:
    break;
  case Watchdog::End::Silent:
    return giveUp(rankText(nextRank()) + " has not answered for " + secondsText(watchdog_.silence().count()) +
                  ": its process stands still, or its machine cannot be reached");
  case Watchdog::End::Absent:
    return giveUp(rankText(nextRank()) + " has not come to this run for " + secondsText(watchdog_.silence().count()));
  case Watchdog::End::Stuck:
    return giveUp(agreement_.stage() == Agreement::Stage::Computing ? listText("this rank does not end", doings())
                                                                    : "other ranks do not end");
  }
}

/// All ranks, also those that are through: one that has just come through has sent others what they go on with, and
/// these say so only when they look next.
void RankWatch::onIdle(int source, bool idle) {
  if (idle)
    idleRanks_.insert(source);
  else
    idleRanks_.erase(source);
  if (static_cast<int>(idleRanks_.size()) < ranks_)
    return;
  controls_.tellOthers(Control::Blocked);
  onBlocked();
}

/// Tells the watchdog that all ranks are blocked; also on a rank that is through, or has failed already: it must not
/// wait for ever for one that cannot end.
void RankWatch::onBlocked() {
  watchdog_.blocked();
  if (agreement_.stage() == Agreement::Stage::Through) // in the meantime
    return;
  const std::string seconds = secondsText(watchdogSeconds_);
  say(listText("nothing has happened for " + seconds, doings()));
  agreement_.fail("no task has finished and no byte has moved on any rank for " + seconds);
}

void RankWatch::say(const std::string &what) const {
  std::fputs(("hetc: " + rankText(rank_) + ": " + what + "\n").c_str(), stderr);
}

/// The tasks that this rank runs and those that it waits for, a line each. The window is the generating thread's while
/// that is in its loops.
std::vector<std::string> RankWatch::doings() const {
  std::vector<std::string> lines = computing_.running();
  const auto add = [&lines](const std::vector<std::string> &more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  const std::string loops = loops_.text();
  if (!loops.empty())
    lines.push_back(loops);
  add(transfers_());
  if (loops.empty())
    add(blockedTasks());
  return lines;
}

std::vector<std::string> RankWatch::blockedTasks() const {
  std::vector<std::string> lines;
  window_.forEachTask([&](const Task &task) {
    if (task.pending.load(std::memory_order_acquire) > 0)
      lines.push_back(blockedText(task));
  });
  return lines;
}

} // namespace tla::runtime
