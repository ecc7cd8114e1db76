#include "tests/fuzz/runner.hpp"

#include "compiler/driver/compile.hpp"
#include "runtime/bootstrap/cost_choice.hpp"
#include "runtime/bootstrap/ranks.hpp"
#include "runtime/core/replay.hpp"
#include "tests/fuzz/ranks.hpp"
#include "tests/unit/runtime/core/recording_sink.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <dlfcn.h>

namespace fuzz {

namespace rt = tla::runtime;
using tla::Distribution;
using tla::bootstrap::DryCall;
using tla::bootstrap::Ranks;

namespace {

Failure fault(const rt::Outcome &outcome, const std::string &where) {
  return {"fault", where + ": " + outcome.message + " " + outcome.kernel + " info " + std::to_string(outcome.info) +
                       " " + outcome.location};
}

bool sameCounts(const rt::Statistics &run, const rt::NodeCost &predicted) {
  const rt::TransferCounts &a = run.transfers, &b = predicted.transfers;
  return a.messages == b.messages && a.bytes == b.bytes && a.received == b.received &&
         a.receivedBytes == b.receivedBytes && run.tasks == predicted.tasks &&
         std::vector<rt::DeviceCounts>(run.devices.begin(), run.devices.end()) == predicted.devices;
}

std::string countsText(const rt::Statistics &run, const rt::NodeCost &predicted) {
  const auto text = [](std::uint64_t tasks, const rt::TransferCounts &t) {
    return std::to_string(tasks) + " tasks, " + std::to_string(t.messages) + " messages, " + std::to_string(t.bytes) +
           " bytes, " + std::to_string(t.received) + " received";
  };
  return "did " + text(run.tasks, run.transfers) + "; counted before: " + text(predicted.tasks, predicted.transfers);
}

/// A remark's text: without place and names, as counts are by.
std::string withoutNames(const std::string &remark) {
  const std::size_t at = remark.find("remark: ");
  std::string text = remark.substr(at == std::string::npos ? 0 : at + 8, 110);
  bool quoted = false;
  std::erase_if(text, [&](char c) {
    quoted ^= c == '\'';
    return quoted || (c >= '0' && c <= '9');
  });
  return text;
}

using Lines = std::vector<std::string>; ///< what a RecordingSink was told

bool isTask(const std::string &line) {
  return line.rfind("send ", 0) != 0 && line.rfind("receive ", 0) != 0 && line.rfind("release ", 0) != 0;
}

/// With what is between two tasks sorted: in which order a task gets what it needs, the two ways may choose.
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

/// Without its loops of nodes.
rt::Algorithm replayOf(const rt::Algorithm &algorithm) {
  rt::Algorithm whole = algorithm;
  whole.generateNode = nullptr;
  whole.distribution = nullptr;
  return whole;
}

/// All matrices of the caller's that tasks write are empty.
bool writesNothing(const rt::Algorithm &algorithm, const tla::bootstrap::Settings &settings) {
  const auto problem = tla::bootstrap::describeProblem(algorithm, settings);
  return std::all_of(problem->matrices.begin(), problem->matrices.end(), [](const auto &matrix) {
    const bool isEmpty = matrix.extent.rows <= 0 || matrix.extent.columns <= 0;
    return isEmpty || matrix.parameter->workspace || !matrix.parameter->written;
  });
}

/// Refused before the run because a device has less memory than one task takes.
bool isTooLittleMemory(const Case &one, const std::string &message) {
  return one.devices.find("mem=") != std::string::npos && message.find("memory") != std::string::npos;
}

} // namespace

std::optional<Failure> Runner::run(int &failedCase) {
  failedCase = -1;
  for (std::size_t v = 0; v < plan_.variants.size(); ++v) {
    const int variant = static_cast<int>(v);
    if (std::none_of(plan_.cases.begin(), plan_.cases.end(), [&](const Case &one) { return one.variant == variant; }))
      continue;
    failedCase = -1 - variant;
    if (auto failure = compile(plan_.variants[v], variant))
      return failure;
    for (std::size_t i = 0; i < plan_.cases.size(); ++i)
      if (plan_.cases[i].variant == variant) {
        failedCase = static_cast<int>(i);
        step_("case " + std::to_string(i));
        if (auto failure = runCase(plan_.cases[i], tasks_[i]))
          return failure;
      }
  }
  return std::nullopt;
}

std::optional<Failure> Runner::compile(const Variant &variant, int number) {
  step_("compile " + std::to_string(number));
  hetc::driver::Request request;
  request.file = file_;
  request.algorithm = name_;
  request.type = *hetc::ir::elementTypeFromLetter(plan_.type);
  request.emit = hetc::driver::Emit::SharedLibrary;
  request.emitMain = request.optimize = request.remarks = false;
  request.split = variant.slices;
  request.distribution = variant.distribution;
  request.output = std::filesystem::path(file_).replace_extension("." + std::to_string(number) + ".so").string();
  const hetc::driver::Result result = hetc::driver::compile(request);
  if (!result.ok)
    return Failure{"rejected", ""};
  for (const std::string &remark : result.remarks)
    if (remark.find("own error") != std::string::npos)
      return Failure{"validation", remark};
    else
      ++counts_["remark: " + withoutNames(remark)];
  void *const handle = dlopen(request.output.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string symbol = "tla_algorithm_" + name_ + "_" + plan_.type;
  algorithm_ = handle ? static_cast<const rt::Algorithm *>(dlsym(handle, symbol.c_str())) : nullptr;
  if (!algorithm_)
    return Failure{"does not load", handle ? symbol : dlerror()};
  ++counts_["compiled"];
  counts_["compiled with loops of nodes"] += algorithm_->generateNode != nullptr;
  counts_["compiled into slices"] += algorithm_->slices > 1;
  counts_["compiled into slices with loops of nodes"] += algorithm_->slices > 1 && algorithm_->generateNode;
  counts_["compiled without proof of all indices"] += !result.proved;
  return std::nullopt;
}

std::optional<Failure> Runner::runCase(const Case &one, std::uint64_t tasks) {
  std::string error;
  const Distribution distribution = tla::parseDistribution(one.distribution, error).value();
  try {
    if (writesNothing(*algorithm_, settingsOf(*algorithm_, one))) { // an executor returns at once
      ++counts_["cases with nothing to write"];
      return std::nullopt;
    }
    if (auto failure = makeExpected(one, tasks))
      return failure;
    if (one.byNodes)
      if (auto failure = sameInstances(one, distribution))
        return failure;
    return runOnRanks(one, distribution);
  } catch (const std::exception &exception) {
    if (!isTooLittleMemory(one, exception.what()))
      return Failure{"exception", exception.what()};
    ++counts_["cases with too little device memory for a task"];
    return std::nullopt;
  }
}

/// The serial elision; for slices what one thread makes of them, which is to be near that.
std::optional<Failure> Runner::makeExpected(const Case &one, std::uint64_t tasks) {
  const rt::Algorithm whole = replayOf(*algorithm_);
  const tla::bootstrap::Settings settings = settingsOf(*algorithm_, one);
  Ranks alone;
  step_("serial elision");
  Call serial(*algorithm_, settings, Distribution(), alone);
  algorithm_->serial(serial.arguments());
  step_("one thread");
  expected_.emplace(*algorithm_, settings, Distribution(), alone);
  rt::Executor executor({.threads = 1, .pin = false});
  const rt::Outcome outcome = executor.run(whole, expected_->arguments());
  if (outcome.kind != rt::Outcome::Kind::Finished)
    return fault(outcome, "one thread");
  if (algorithm_->slices > 1) {
    const std::string stray = expected_->strays(serial);
    return stray.empty() ? std::nullopt : std::optional(Failure{"slices stray from the serial elision", stray});
  }
  if (const std::string matrix = expected_->differs(serial); !matrix.empty())
    return Failure{"one thread differs from the serial elision", matrix};
  if (outcome.statistics.tasks != tasks)
    return Failure{"not all tasks", "one thread ran " + std::to_string(outcome.statistics.tasks) + " of " +
                                        std::to_string(tasks) + " tasks"};
  return std::nullopt;
}

/// By loops of their own and by replay.
std::optional<Failure> Runner::sameInstances(const Case &one, const Distribution &distribution) {
  if (!algorithm_->generateNode)
    return std::nullopt;
  step_("instances");
  const tla::bootstrap::Problem &problem = expected_->problem();
  const DryCall dry(*algorithm_, problem.values, problem.scalars, problem.nb, problem.cut, 0);
  const rt::Arguments arguments = dry.arguments();
  const auto generate = [&](rt::Generator &generator) { algorithm_->generate(generator, arguments); };
  std::vector<Lines> nodes;
  for (int node = 0; node < one.ranks; ++node) {
    tla::test::RecordingSink replayed(distribution), looped(distribution);
    rt::generateInstances(rt::replay(generate, distribution, node), distribution, node, replayed);
    rt::generateInstances(rt::nodeProgram(*algorithm_, arguments, distribution, node), distribution, node, looped);
    nodes.push_back(looped.lines);
    const Lines own = inOneOrder(looped.lines), whole = inOneOrder(replayed.lines);
    if (const std::string difference = firstDifference(own, whole); !difference.empty())
      return Failure{"loops of nodes differ from replay",
                     "node " + std::to_string(node) + ", its own loops and the whole program: " + difference};
  }
  for (int a = 0; a < one.ranks; ++a)
    for (int b = 0; b < one.ranks; ++b)
      if (const std::string difference =
              firstDifference(transfers(nodes[a], "send ", " to ", b), transfers(nodes[b], "receive ", " from ", a));
          !difference.empty())
        return Failure{"both ends of messages differ",
                       "sent by " + std::to_string(a) + " and received by " + std::to_string(b) + ": " + difference};
  return std::nullopt;
}

std::optional<Failure> Runner::runOnRanks(const Case &one, const Distribution &distribution) {
  const rt::Algorithm algorithm = one.byNodes ? *algorithm_ : replayOf(*algorithm_);
  const tla::bootstrap::Settings settings = settingsOf(algorithm, one);
  const tla::bootstrap::Problem &problem = expected_->problem();
  std::unique_ptr<Network> network;
  if (one.ranks > 1)
    network = makeNetwork(one);
  std::vector<std::unique_ptr<Node>> nodes;
  for (int rank = 0; rank < one.ranks; ++rank)
    nodes.push_back(std::make_unique<Node>(one, network ? &network->endpoint(rank) : nullptr));
  step_("count");
  const DryCall dry(algorithm, problem.values, problem.scalars, problem.nb, problem.cut, one.ranks);
  const rt::Cost cost = rt::predictCost(algorithm, dry.arguments(), distribution, nodes[0]->counted());
  step_("run");
  std::vector<std::optional<Failure>> failures(nodes.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < one.ranks; ++rank)
    threads.emplace_back([&, rank] {
      const std::string where = "rank " + std::to_string(rank);
      try {
        const std::shared_ptr<rt::Transport> transport(network ? &network->endpoint(rank) : nullptr, [](auto *) {});
        Ranks alone, connected(transport);
        Call call(algorithm, settings, distribution, network ? connected : alone);
        if (network)
          nodes[rank]->executor().distribute(distribution);
        const rt::Outcome outcome = nodes[rank]->executor().run(algorithm, call.arguments());
        if (outcome.kind != rt::Outcome::Kind::Finished)
          failures[rank] = fault(outcome, where);
        else if (const std::string matrix = call.differs(*expected_); !matrix.empty())
          failures[rank] = Failure{"differs from one thread", matrix + " on " + where};
        else if (!sameCounts(outcome.statistics, cost.nodes[rank]))
          failures[rank] =
              Failure{"other than counted", where + " " + countsText(outcome.statistics, cost.nodes[rank])};
      } catch (const std::exception &exception) {
        failures[rank] = isTooLittleMemory(one, exception.what())
                             ? Failure{"too little memory", exception.what()}
                             : Failure{"exception", where + ": " + exception.what()};
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::optional<Failure> &failure : failures)
    if (failure && failure->kind == "too little memory") {
      ++counts_["cases with too little device memory for a task"];
      return std::nullopt;
    } else if (failure)
      return failure;
  for (int rank = 0; network && rank < one.ranks; ++rank) {
    rt::Announcement message;
    if (network->endpoint(rank).announced(message))
      return Failure{"a message is left",
                     "for rank " + std::to_string(rank) + " from " + std::to_string(message.source)};
  }
  const rt::NodeCost total = cost.total();
  if (const auto tasks = total.tasks; algorithm.slices == 1 && one.ranks > 1)
    counts_["tasks on several ranks"] += tasks;
  counts_["messages"] += total.transfers.messages;
  for (const rt::DeviceCounts &device : total.devices)
    counts_["tasks on devices"] += device.tasks;
  return std::nullopt;
}

} // namespace fuzz
