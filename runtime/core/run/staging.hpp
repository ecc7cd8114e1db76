// The parts of a run of a program whose loop an element ends: who holds the workspaces, and which part comes next.
#pragma once

#include <tla/generated/stages.hpp>

#include <vector>

namespace tla::runtime {

/// The caller's arguments, with held workspaces behind his matrices.
class StagedArguments {
public:
  StagedArguments(const Stages &stages, const Arguments &arguments);
  StagedArguments(const StagedArguments &) = delete;
  StagedArguments &operator=(const StagedArguments &) = delete;

  /// The arguments of one part; valid until the next call.
  Arguments of(const Stage &stage) {
    stage_ = stage;
    Arguments part = call_;
    part.matrices = matrices_.data();
    part.stage = &stage_;
    return part;
  }
  const std::vector<StorageRef> &held() const { return held_; }
  Storage &matrix(int number) const { return *matrices_[number]; }

private:
  std::vector<StorageRef> held_;
  std::vector<Storage *> matrices_;
  const Arguments call_;
  Stage stage_;
};

/// The parts in order: Before; First and Second of each iteration; After. The test is the caller's: done().
class StageSequence {
public:
  StageSequence(const Stages &stages, StagedArguments &arguments);

  /// False: there is no further part.
  bool next();
  const Stage &stage() const { return stage_; }
  /// The present part is a First, behind which the element ends the loop.
  void done() { isDone_ = true; }
  bool isEndedEarly() const { return isDone_; }

private:
  bool beginIteration();

  const Stages &stages_;
  StagedArguments &arguments_;
  const int iterations_;
  Stage stage_;
  bool isDone_ = false;
};

} // namespace tla::runtime
