#include "runtime/core/run/staged_run.hpp"

#include "runtime/core/run/staging.hpp"
#include "runtime/core/run/statistics_of_parts.hpp"
#include "runtime/distribution/distribution.hpp"
#include "runtime/transport/transport.hpp"

#include <cstdint>
#include <utility>

namespace tla::runtime {

namespace {

/// Tiles have addresses, and no memory.
void giveAddresses(Storage &storage, std::uintptr_t &next) {
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i) {
      storage.setTile(i, j, reinterpret_cast<void *>(next));
      next += storage.tileBytes(i, j);
    }
}

class StagedRun {
public:
  StagedRun(const Algorithm &algorithm, const Arguments &arguments, const StageRunner &runner)
      : algorithm_(algorithm), stages_(*algorithm.stages), runner_(runner), arguments_(stages_, arguments),
        sequence_(stages_, arguments_) {
    const Storage &value = arguments_.matrix(stages_.value);
    if (value.mt() < 1 || value.nt() < 1)
      throw UsageError(std::string(algorithm.name) + ": the test at " + stages_.location +
                       " asks the first element of a matrix that has none");
  }

  Outcome run() {
    while (sequence_.next()) {
      const Arguments part = arguments_.of(sequence_.stage());
      if (sequence_.stage().part == Stage::First)
        endContentOfCalls();
      if (!runPart(part))
        break;
      if (sequence_.stage().part != Stage::First)
        continue;
      const Test test = testElement(part);
      if (test == Test::Failed)
        break;
      if (test == Test::Done)
        sequence_.done();
    }
    sum_.statistics.iterations = sequence_.stage().begun;
    sum_.statistics.endedEarly = sequence_.isEndedEarly();
    return std::move(sum_);
  }

private:
  enum class Test { GoesOn, Done, Failed };

  /// Whether its results are there.
  bool runPart(const Arguments &part) {
    if (algorithm_.countTasks && algorithm_.countTasks(part) == 0)
      return true;
    const auto prepare = [this] {
      if (!std::exchange(isAllocated_, true))
        allocateHeld();
    };
    const Outcome outcome = runner_.run(part, prepare);
    add(outcome);
    return outcome.isComplete();
  }

  bool owns(const Storage &storage, int i, int j) const {
    return !runner_.distribution || runner_.distribution->node(i, j, storage.byRows()) == runner_.rank;
  }

  void allocateHeld() {
    std::uintptr_t next = std::uintptr_t(1) << 46; // beyond those of the caller's matrices
    for (const StorageRef &held : arguments_.held()) {
      if (runner_.isVirtual)
        giveAddresses(*held, next);
      else
        held->allocate([&](int i, int j) { return owns(*held, i, j); });
      runner_.held.add(*held);
    }
  }

  /// Each iteration calls anew what has these workspaces.
  void endContentOfCalls() {
    for (int number = 0; number < stages_.ofCallsCount; ++number)
      if (WrittenTiles *const written = runner_.held.find(*arguments_.held()[stages_.ofCalls[number]]))
        written->clear();
  }

  /// The first that is not fine is said; only a fault is said before it.
  void add(const Outcome &outcome) {
    if (sum_.kind == Outcome::Kind::Finished || outcome.kind == Outcome::Kind::Fault) {
      Statistics statistics = std::move(sum_.statistics);
      sum_ = outcome;
      sum_.statistics = std::move(statistics);
    } else {
      sum_.wentOn = sum_.wentOn && outcome.isComplete();
    }
    parts_.add(outcome.statistics, sum_.statistics);
  }

  /// The owner of the element decides for all.
  Test testElement(const Arguments &part) {
    if (runner_.isVirtual)
      return Test::GoesOn;
    Storage &value = arguments_.matrix(stages_.value);
    const bool isOwner = owns(value, 0, 0), lacksContent = isOwner && !isWritten(value);
    const bool hasElement = isOwner && !lacksContent && value.tile(0, 0);
    const Outcome fetched = hasElement ? runner_.fetch(value) : Outcome();
    const bool isThere = fetched.kind == Outcome::Kind::Finished;
    enum Say : int { element, failure, unwritten, Count };
    double says[Count] = {hasElement && isThere && stages_.isDone(part) ? 1.0 : 0.0, isThere ? 0.0 : 1.0,
                          lacksContent ? 1.0 : 0.0};
    if (runner_.transport)
      runner_.transport->sum(says, Count);
    if (says[unwritten] > 0) {
      sum_.kind = Outcome::Kind::Fault;
      sum_.wentOn = false;
      sum_.message = "read without content: the element that ends the loop, whose tile no earlier task wrote (" +
                     std::string(stages_.location) + ")";
      return Test::Failed;
    }
    if (says[failure] > 0) {
      sum_.kind = isThere ? Outcome::Kind::Fault : fetched.kind;
      sum_.wentOn = false;
      sum_.message =
          isThere ? "another rank could not copy the element that ends the loop from its device" : fetched.message;
      return Test::Failed;
    }
    return says[element] > 0 ? Test::Done : Test::GoesOn;
  }

  /// Whether what the test asks has content: a caller's matrix has, a workspace once tasks have written it.
  bool isWritten(const Storage &value) const {
    if (stages_.value < stages_.matrices)
      return true;
    const WrittenTiles *const written = runner_.held.find(value); // null: nothing has run
    return written && written->has(0, 0, 0) && written->has(0, 0, 1);
  }

  const Algorithm &algorithm_;
  const Stages &stages_;
  const StageRunner &runner_;
  StagedArguments arguments_;
  StageSequence sequence_;
  StatisticsOfParts parts_;
  bool isAllocated_ = false;
  Outcome sum_;
};

} // namespace

Outcome runStages(const Algorithm &algorithm, const Arguments &arguments, const StageRunner &runner) {
  return StagedRun(algorithm, arguments, runner).run();
}

} // namespace tla::runtime
