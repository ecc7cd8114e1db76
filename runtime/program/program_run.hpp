// One run of a compiled algorithm, from the command line to the exit code.
#pragma once

#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/predict/plan/plan.hpp"
#include "runtime/program/page_locked.hpp"
#include "runtime/program/report.hpp"
#include "runtime/program/supervisor.hpp"

#include <memory>

namespace tla::host {

/// Reads top to bottom as the list of what a run does, on each of its ranks. Errors leave as exceptions; fail() says
/// them, on the first rank, and makes them those of all (ranks.hpp). Files of results are the first rank's, but for
/// what all write together.
class ProgramRun {
public:
  ProgramRun(const runtime::Algorithm &algorithm, Ranks &ranks) : ranks_(ranks) { record_.algorithm = &algorithm; }

  /// The exit code, the same on all ranks.
  int run(const Settings &settings);

private:
  int runStages();
  void describe();
  void makeExecutors();
  void plan();
  void tellPlan();
  /// The run takes place in the time of a machine that is known by its profile.
  bool isVirtual() const { return settings().devices.machine != nullptr; }
  Team team() { return {local_ ? *local_ : *executor_, ranks_, *executor_}; }
  void installKernelBodies();
  void remarkUnlikeProcessors();
  Machine machine() const;
  int cores() const;
  void warnAboutThreads() const;
  void warnAboutPin() const;
  void requireJson();
  void requireOutputs() const;
  void load();
  int runRepeatedly();
  void bringToDevices();
  void requireFinished(const runtime::Outcome &outcome) const;
  int runOnce(int repetition);
  runtime::Outcome execute(const runtime::Arguments &arguments);
  int runOnProfile();
  Interruptible interruptible();
  void requireNothingComputed() const;
  void noteInfo(const runtime::Outcome &outcome);
  int stopNumerically(const runtime::Outcome &outcome);
  void requireCounts(const runtime::Arguments &arguments) const;
  void judge();
  void writeOutputs();
  void report();
  int fail(int code, const std::string &message);
  int end(const Failure &failure);
  void writeJson();
  /// True when standard output carries JSON or a trace; readable text goes to standard error then.
  bool outputTaken() const;
  void warn(const std::string &message) const;
  void remark(const std::string &message) const;

  const runtime::Algorithm &algorithm() const { return *record_.algorithm; }
  const Settings &settings() const { return record_.settings; }

  Ranks &ranks_;
  Plan plan_;
  Neighbours neighbours_;
  RunRecord record_;
  bool untuned_ = false;    ///< see KernelStatus
  bool jsonWanted_ = false; ///< once its file is known to be writable, until it was tried
  std::unique_ptr<Problem> problem_;
  std::vector<std::unique_ptr<runtime::Accelerator>> devices_;
  PageLocked pageLocked_; ///< the problem's matrices, for the devices
  std::unique_ptr<runtime::Executor> executor_;
  std::unique_ptr<runtime::Executor> local_; ///< on several ranks, or with devices: for what each host does alone
  std::unique_ptr<Supervisor> supervisor_;
  std::optional<Supervisor::Side> localSide_;
};

} // namespace tla::host
