#include "tests/fuzz/examiner.hpp"

#include "runtime/core/passes/replay.hpp"
#include "runtime/host/check/check.hpp"
#include "runtime/host/ranks/ranks.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/validation/rounding.hpp"
#include "tests/fuzz/doomed.hpp"
#include "tests/fuzz/ranks.hpp"
#include "tests/unit/runtime/core/recording_sink.hpp"

#include <tla/generated/stages.hpp>

#include <algorithm>
#include <thread>

namespace fuzz {

namespace rt = tla::runtime;
using tla::Distribution;
using tla::host::DryCall;
using tla::host::Ranks;

namespace {

constexpr double mostOfStray = 4; // as far as rounding excuses

Failure fault(const rt::Outcome &outcome, const std::string &where) {
  return {"fault", where + ": " + outcome.message + " " + outcome.kernel + " info " + std::to_string(outcome.info) +
                       " " + outcome.location};
}

std::string countsText(const rt::Statistics &run, const rt::NodeCost &predicted) {
  const auto text = [](std::uint64_t tasks, const rt::TransferCounts &t) {
    return std::to_string(tasks) + " tasks, " + std::to_string(t.messages) + " messages, " + std::to_string(t.bytes) +
           " bytes, " + std::to_string(t.received) + " received";
  };
  return "did " + text(run.tasks, run.transfers) + "; counted before: " + text(predicted.tasks, predicted.transfers);
}

using Lines = std::vector<std::string>; ///< calls that a RecordingSink received

bool isTask(const std::string &line) {
  return line.rfind("send ", 0) != 0 && line.rfind("receive ", 0) != 0 && line.rfind("release ", 0) != 0;
}

/// Sorts the lines between two tasks: the two ways may choose in which order a task gets what it needs.
Lines inOneOrder(Lines lines) {
  for (auto begin = lines.begin(); begin != lines.end();) {
    const auto end = std::find_if(begin, lines.end(), isTask);
    std::sort(begin, end);
    begin = end == lines.end() ? end : end + 1;
  }
  return lines;
}

/// The tiles that a node's lines send to another one, or receive from it, in order.
Lines transfers(const Lines &lines, const std::string &begin, const std::string &with, int node) {
  const std::string end = with + std::to_string(node);
  Lines tiles;
  for (const std::string &line : lines)
    if (line.rfind(begin, 0) == 0 && line.ends_with(end))
      tiles.push_back(line.substr(begin.size(), line.size() - begin.size() - end.size()));
  return tiles;
}

/// Empty where there is none.
std::string firstDifference(const Lines &a, const Lines &b) {
  const auto [mine, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto text = [](const Lines &lines, Lines::const_iterator at) { return at == lines.end() ? "end" : *at; };
  return mine == a.end() && other == b.end() ? "" : "\"" + text(a, mine) + "\" and \"" + text(b, other) + "\"";
}

/// The algorithm without its loops of nodes.
rt::Algorithm replayOf(const rt::Algorithm &algorithm) {
  rt::Algorithm whole = algorithm;
  whole.generateNode = nullptr;
  whole.distribution = nullptr;
  return whole;
}

/// All matrices of the caller's that tasks write are empty.
bool writesNothing(const rt::Algorithm &algorithm, const tla::host::Settings &settings) {
  const auto problem = tla::host::describeProblem(algorithm, settings);
  return std::all_of(problem->matrices.begin(), problem->matrices.end(), [](const auto &matrix) {
    const bool isEmpty = matrix.extent.rows <= 0 || matrix.extent.columns <= 0;
    return isEmpty || matrix.parameter->workspace || !matrix.parameter->written;
  });
}

/// Refused before the run because a device has less memory than one task takes.
bool isTooLittleMemory(const Case &one, const std::string &message) {
  return one.devices.find("mem=") != std::string::npos && message.find("memory") != std::string::npos;
}

/// Whether hetc says that arguments do not fit together, as it does when a task has such.
bool isMisfit(const std::string &message) {
  return message.find("requires ") != std::string::npos || message.find("shares elements with") != std::string::npos;
}

/// Whether hetc says that a task reads content that nobody wrote.
bool isUnwritten(const std::string &message) { return message.find("read without content: ") != std::string::npos; }

/// Whether hetc says that an integer does not fit 64 bits, or the int that it is to be.
bool isOverflow(const std::string &message) { return message.find(" does not fit ") != std::string::npos; }

/// Empty: refused, as it has to be.
std::optional<Failure> refusal(const rt::Outcome &outcome, const Expected &told, const std::string &where) {
  const bool isSaid = (told.misfits && isMisfit(outcome.message)) || (told.unwritten && isUnwritten(outcome.message));
  if (outcome.kind == rt::Outcome::Kind::Fault && isSaid)
    return std::nullopt;
  return Failure{told.misfits ? "arguments that do not fit are taken" : "what nobody wrote is read",
                 where + ": " + outcome.message};
}

/// Checks that the others receive the messages that each node sends, in the same order.
std::optional<Failure> bothEnds(const std::vector<Lines> &nodes) {
  const int count = static_cast<int>(nodes.size());
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      if (const std::string difference =
              firstDifference(transfers(nodes[a], "send ", " to ", b), transfers(nodes[b], "receive ", " from ", a));
          !difference.empty())
        return Failure{"both ends of messages differ",
                       "sent by " + std::to_string(a) + " and received by " + std::to_string(b) + ": " + difference};
  return std::nullopt;
}

/// Ends before the matrices do.
struct Residence {
  explicit Residence(rt::Executor &executor) : executor(executor) {}
  ~Residence() { executor.endResidence(); }
  rt::Executor &executor;
};

/// One rank's run; what is wrong with its part.
class RankRun {
public:
  RankRun(const rt::Algorithm &algorithm, const Case &one, const tla::host::Settings &settings,
          const Distribution &distribution, int rank, rt::Transport *transport, const std::optional<Expected> &told)
      : algorithm_(algorithm), case_(one), settings_(settings), distribution_(distribution), rank_(rank),
        transport_(transport), told_(told), node_(one, transport) {}

  std::optional<Failure> run(const Call &expected, const rt::NodeCost &predicted) {
    const std::string where = "rank " + std::to_string(rank_);
    try {
      return compare(expected, predicted, where);
    } catch (const std::exception &exception) {
      if (told_ && told_->overflows && isOverflow(exception.what()))
        return std::nullopt;
      if (isTooLittleMemory(case_, exception.what()))
        return Failure{tooLittleMemory, exception.what()};
      return Failure{"exception", where + ": " + exception.what()};
    }
  }
  static constexpr const char *tooLittleMemory = "too little memory";

private:
  std::optional<Failure> compare(const Call &expected, const rt::NodeCost &predicted, const std::string &where) {
    Ranks alone, connected(std::shared_ptr<rt::Transport>(transport_, [](auto *) {}));
    Call call(algorithm_, settings_, distribution_, transport_ ? connected : alone);
    if (transport_)
      node_.executor().distribute(distribution_);
    const Residence residence(node_.executor());
    rt::Outcome before, behind;
    if (case_.resident) {
      if (const std::string obstacle = node_.executor().makeResident(algorithm_, call.arguments()); !obstacle.empty())
        return Failure{"is not resident, as was counted", where + ": " + obstacle};
      before = node_.executor().updateAccelerators();
    }
    const rt::Outcome outcome = node_.executor().run(algorithm_, call.arguments());
    if (told_ && told_->overflows && outcome.kind == rt::Outcome::Kind::Fault && isOverflow(outcome.message))
      return std::nullopt;
    if (told_ && told_->isRefused())
      return refusal(outcome, *told_, where);
    if (case_.resident)
      behind = node_.executor().updateHost();
    for (const rt::Outcome &one : {before, outcome, behind})
      if (one.kind != rt::Outcome::Kind::Finished)
        return fault(one, where);
    if (const std::string matrix = call.differs(expected); !matrix.empty())
      return Failure{"differs from one thread", matrix + " on " + where};
    if (!rt::isAsCounted(outcome.statistics, predicted))
      return Failure{"other than counted", where + " " + countsText(outcome.statistics, predicted)};
    return std::nullopt;
  }

  const rt::Algorithm &algorithm_;
  const Case &case_;
  const tla::host::Settings &settings_;
  const Distribution &distribution_;
  int rank_;
  rt::Transport *transport_;
  const std::optional<Expected> &told_;
  Node node_;
};

} // namespace

std::optional<Failure> Examiner::examine(const Case &one, const std::optional<Expected> &expected) {
  told_ = expected;
  Case quiet = one;
  quiet.fault = {};
  quiet.resident = false;
  case_ = isRefused() ? &quiet : &one; // one thing at a time
  distribution_ = tla::parseDistribution(one.distribution);
  settings_ = settingsOf(algorithm_, one);
  if (told_ && told_->iterations >= 0)
    ++counts_[told_->endedEarly ? "cases in which an element ends the loop"
                                : "cases in which no element ends the loop"];
  try {
    if (writesNothing(algorithm_, settings_)) { // an executor returns at once
      ++counts_["cases with nothing to write"];
      return std::nullopt;
    }
    if (auto failure = makeExpected())
      return failure;
    if (one.byNodes && algorithm_.generateNode)
      if (auto failure = sameInstances())
        return failure;
    return runOnRanks();
  } catch (const std::exception &exception) {
    if (isSaidToOverflow(exception.what())) {
      ++counts_["cases in which an integer does not fit 64 bits"];
      return std::nullopt;
    }
    if (!isTooLittleMemory(one, exception.what()))
      return Failure{"exception", exception.what()};
    ++counts_["cases with too little device memory for a task"];
    return std::nullopt;
  }
}

/// Whether a run says that an integer does not fit, and one does not.
bool Examiner::isSaidToOverflow(const std::string &message) const {
  return told_ && told_->overflows && isOverflow(message);
}

/// Computes the expected result on one thread.
std::optional<Failure> Examiner::makeExpected() {
  const rt::Algorithm whole = replayOf(algorithm_);
  Ranks alone;
  step_("serial elision");
  Call serial(algorithm_, settings_, Distribution(), alone);
  if (!isRefused()) // it is the author's C++ as it is, without checks
    elision_.serial(serial.arguments());
  step_("one thread");
  expected_.emplace(algorithm_, settings_, Distribution(), alone);
  rt::Executor executor({.threads = 1, .pin = false});
  const rt::Outcome outcome = executor.run(whole, expected_->arguments());
  if (isRefused()) {
    ++counts_[told_->misfits ? "cases whose arguments do not fit together" : "cases that read what nobody wrote"];
    return refusal(outcome, *told_, "one thread");
  }
  if (isSaidToOverflow(outcome.message))
    throw std::runtime_error(outcome.message);
  if (outcome.kind != rt::Outcome::Kind::Finished)
    return fault(outcome, "one thread");
  if (checked_) {
    step_("check");
    const auto verdict = checkResult(expected_->problem(), tla::host::CheckMode::Full, {executor, alone, executor});
    if (verdict.judged && !verdict.passed)
      return Failure{"check failed", "residual " + std::to_string(verdict.residual)};
  }
  return compareWithElision(serial, outcome.statistics);
}

/// The same bits and all tasks; on slices, and with updates dealt to copies of nodes, near it.
std::optional<Failure> Examiner::compareWithElision(const Call &serial, const rt::Statistics &done) {
  if (told_ && (done.iterations != told_->iterations || done.endedEarly != told_->endedEarly))
    return Failure{"other iterations", "one thread did " + std::to_string(done.iterations) + " iterations of " +
                                           std::to_string(told_->iterations)};
  if (algorithm_.slices() > 1 || algorithm_.copies() > 1) {
    const std::string stray = checked_ ? "" : strayBeyondRounding(serial);
    const char *const what =
        algorithm_.slices() > 1 ? "slices stray from the serial elision" : "copies stray from the serial elision";
    return stray.empty() ? std::nullopt : std::optional(Failure{what, stray});
  }
  if (const std::string matrix = expected_->differs(serial); !matrix.empty())
    return Failure{"one thread differs from the serial elision", matrix};
  if (told_ && done.tasks != told_->tasks)
    return Failure{"not all tasks",
                   "one thread ran " + std::to_string(done.tasks) + " of " + std::to_string(told_->tasks) + " tasks"};
  return std::nullopt;
}

/// A matrix that is not near the serial elision's, and further off than that one gets from itself when it rounds
/// otherwise; empty: none.
std::string Examiner::strayBeyondRounding(const Call &serial) {
  std::map<std::string, double> strays = expected_->strays(serial);
  if (strays.empty())
    return "";
  Ranks alone;
  for (const int mode : rt::validation::otherRoundings) {
    const Call rounded(algorithm_, settings_, Distribution(), alone);
    const rt::validation::Rounding rounding(mode);
    elision_.serial(rounded.arguments());
    for (const auto &[matrix, own] : rounded.strays(serial))
      if (const auto stray = strays.find(matrix); stray != strays.end() && stray->second <= mostOfStray * own)
        strays.erase(stray);
  }
  counts_["cases in which rounding decides"] += strays.empty();
  return strays.empty() ? "" : strays.begin()->first;
}

/// Compares the instances of nodes by loops of their own and by replay.
std::optional<Failure> Examiner::sameInstances() {
  step_("instances");
  const tla::host::Problem &problem = expected_->problem();
  const DryCall dry(algorithm_, problem.values, problem.scalars, problem.nb, problem.cut, 0);
  std::optional<Failure> failure;
  const auto compare = [&](const rt::Arguments &part) { return !(failure = sameInstances(part)); };
  rt::forEachStage(algorithm_, dry.arguments(), compare, lastIteration());
  return failure;
}

/// Compares the instances of one part of the run.
std::optional<Failure> Examiner::sameInstances(const rt::Arguments &arguments) {
  const Distribution &distribution = distribution_;
  const auto generate = [&](rt::Generator &generator) { algorithm_.generate(generator, arguments); };
  std::vector<Lines> nodes;
  for (int node = 0; node < case_->ranks; ++node) {
    tla::test::RecordingSink replayed(distribution), looped(distribution);
    rt::generateInstances(rt::replay(generate, distribution, node), distribution, node, replayed);
    rt::generateInstances(rt::nodeProgram(algorithm_, arguments, distribution, node), distribution, node, looped);
    nodes.push_back(looped.lines);
    const Lines own = inOneOrder(looped.lines), whole = inOneOrder(replayed.lines);
    if (const std::string difference = firstDifference(own, whole); !difference.empty())
      return Failure{"loops of nodes differ from replay",
                     "node " + std::to_string(node) + ", its own loops and the whole program: " + difference};
  }
  return bothEnds(nodes);
}

std::optional<Failure> Examiner::runOnRanks() {
  const rt::Algorithm algorithm = case_->byNodes ? algorithm_ : replayOf(algorithm_);
  const tla::host::Problem &problem = expected_->problem();
  step_("count");
  const DryCall dry(algorithm, problem.values, problem.scalars, problem.nb, problem.cut, case_->ranks);
  rt::CostOptions options = countedOptions(*case_);
  options.iterations = lastIteration();
  const rt::Cost cost = rt::predictCost(algorithm, dry.arguments(), distribution_, options);
  step_("run");
  if (case_->ranks == 1)
    return runTogether(algorithm, cost, nullptr);
  if (case_->fault.ends())
    return runDoomed(
        *case_, cost, [&](Network &network) { return runTogether(algorithm, cost, &network); }, counts_);
  const std::unique_ptr<Network> network = makeNetwork(*case_, cost);
  const auto failure = runTogether(algorithm, cost, network.get());
  if (network->struck())
    ++counts_["cases in which a rank has stood still"];
  return failure;
}

/// Each rank on a thread.
std::optional<Failure> Examiner::runTogether(const rt::Algorithm &algorithm, const rt::Cost &cost, Network *network) {
  std::vector<std::unique_ptr<RankRun>> runs;
  for (int rank = 0; rank < case_->ranks; ++rank)
    runs.push_back(std::make_unique<RankRun>(algorithm, *case_, settings_, distribution_, rank,
                                             network ? &network->endpoint(rank) : nullptr, told_));
  std::vector<std::optional<Failure>> failures(runs.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < runs.size(); ++rank)
    threads.emplace_back([&, rank] { failures[rank] = runs[rank]->run(*expected_, cost.nodes[rank]); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::optional<Failure> &failure : failures)
    if (failure && failure->kind == RankRun::tooLittleMemory) {
      ++counts_["cases with too little device memory for a task"];
      return std::nullopt;
    } else if (failure)
      return failure;
  const rt::NodeCost total = cost.total();
  counts_["messages"] += total.transfers.messages;
  for (const rt::DeviceCounts &device : total.devices)
    counts_["tasks on devices"] += device.tasks;
  return network && !isRefused() ? leftMessages(*network) : std::nullopt;
}

std::optional<Failure> Examiner::leftMessages(Network &network) const {
  for (int rank = 0; rank < case_->ranks; ++rank) {
    rt::Announcement message;
    for (int look = 0; look <= case_->fault.holdBack; ++look)
      if (network.endpoint(rank).announced(message))
        return Failure{"a message is left",
                       "for rank " + std::to_string(rank) + " from " + std::to_string(message.source)};
  }
  return std::nullopt;
}

} // namespace fuzz
