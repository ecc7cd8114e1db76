#include "tools/tuner/tuner.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <numeric>

namespace hetc::tuning {

namespace {
using Json = nlohmann::json;

/// By how much a candidate must be faster than what is used without tuning: less may be chance.
constexpr double worthwhile = 1.01;

Status statusOf(Ending ending) {
  return ending == Ending::TimedOut      ? Status::TimedOut
         : ending == Ending::OutOfMemory ? Status::OutOfMemory
                                         : Status::Crashed;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &local);
  return text;
}

/// Work in a process of its own hands its results on as text.
std::string textOf(const std::string &wrong, const Timing &timing) {
  return Json({wrong, timing.seconds, timing.spread, timing.rounds, timing.abandoned})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result resultOf(const std::string &text, double flops) {
  const Json json = Json::parse(text);
  Result result;
  result.message = json.at(0).get<std::string>();
  if (!result.message.empty()) {
    result.status = Status::Wrong;
    return result;
  }
  result.status = json.at(4).get<bool>() ? Status::Slow : Status::Measured;
  result.gflops = flops / json.at(1).get<double>() * 1e-9;
  result.spread = json.at(2).get<double>();
  result.rounds = json.at(3).get<int>();
  return result;
}

Final finalOf(const std::string &text) {
  Final final;
  for (const Json &each : Json::parse(text))
    final.finalists.push_back({each.at(0), each.at(1).get<Kind>(), each.at(2), each.at(3)});
  std::ranges::stable_sort(final.finalists, std::greater(), &Finalist::gflops);
  const Finalist *candidate = final.find(Kind::Candidate), *shipped = final.find(Kind::Shipped);
  const bool isWorthIt = candidate && (!shipped || candidate->gflops > worthwhile * shipped->gflops);
  if (const Finalist *winner = isWorthIt ? candidate : shipped)
    final.winner = winner->name;
  final.date = today();
  return final;
}
} // namespace

Known knownRates(const Candidates &candidates, const Database &database) {
  Known known(candidates.size());
  for (const Result &result : database.results())
    if (const int candidate = candidates.find(result.point); candidate >= 0)
      known[candidate] = isRated(result.status) ? result.gflops : 0;
  return known;
}

Tuner::Tuner(const Family &family, const Candidates &candidates, std::function<Constants(int)> constants,
             Database &database, std::string folder, TuneRules rules)
    : family_(family), candidates_(candidates), constants_(std::move(constants)), database_(database),
      folder_(std::move(folder)), rules_(std::move(rules)), known_(knownRates(candidates, database)) {}

TuneOutcome Tuner::run(int first, const std::function<void(const Progress &)> &watch) {
  watch_ = watch;
  begin_ = std::chrono::steady_clock::now();
  if (first >= 0 && !known_[first] && !isOver())
    evaluate({first});
  const auto strategy = makeStrategy(rules_.strategy, candidates_, rules_.seed);
  while (!isOver()) {
    long count = rules_.compilers;
    if (rules_.maxCandidates >= 0)
      count = std::min(count, rules_.maxCandidates - outcome_.evaluated);
    const std::vector<int> batch = strategy->propose(known_, static_cast<int>(count));
    if (batch.empty())
      break;
    evaluate(batch);
  }
  if (outcome_.evaluated == 0 && database_.final())
    outcome_.final = database_.final();
  else if (!Interruption::signal())
    compare();
  outcome_.interrupted = Interruption::signal() != 0;
  outcome_.seconds = seconds();
  return std::move(outcome_);
}

double Tuner::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

bool Tuner::isOver() const {
  return Interruption::signal() || seconds() >= rules_.budget ||
         (rules_.maxCandidates >= 0 && outcome_.evaluated >= rules_.maxCandidates);
}

void Tuner::tell(const std::string &doing) const {
  Progress progress;
  progress.seconds = seconds();
  progress.part = rules_.budget > 0 ? progress.seconds / rules_.budget : 1;
  if (rules_.maxCandidates > 0)
    progress.part = std::max(progress.part, static_cast<double>(outcome_.evaluated) / rules_.maxCandidates);
  progress.evaluated = outcome_.evaluated;
  if (const int best = bestOf(known_); best >= 0)
    progress.best = *known_[best];
  progress.doing = doing;
  watch_(progress);
}

void Tuner::evaluate(const std::vector<int> &batch) {
  tell("compiling");
  // Nothing else runs while one is timed.
  for (const Compiled &compiled : compile(batch))
    if (!compiled.file.empty() && !Interruption::signal()) {
      tell("measuring");
      measure(compiled);
      std::remove(compiled.file.c_str());
    }
}

std::vector<Tuner::Compiled> Tuner::compile(const std::vector<int> &batch) {
  std::vector<Work> works;
  std::vector<Compiled> all;
  for (const int candidate : batch) {
    all.push_back({candidate, folder_ + "/" + std::to_string(candidate) + ".so"});
    works.push_back([this, compiled = all.back()] {
      return family_.compile(constants_(compiled.candidate), compiled.file).empty() ? "" : "compiled";
    });
  }
  runIsolated(works, rules_.compilers, rules_.compilation, [&](int index, Outcome outcome) {
    if (outcome.ending == Ending::Done && !outcome.text.empty())
      return;
    Result result;
    result.status = outcome.ending == Ending::TimedOut ? Status::TimedOut : Status::Uncompiled;
    result.message = outcome.text.empty() ? firstError(outcome.errors) : "the compiler: " + outcome.text;
    if (outcome.ending != Ending::Interrupted)
      add(all[index].candidate, std::move(result));
    all[index].file.clear();
  });
  return all;
}

void Tuner::measure(const Compiled &compiled) {
  TimingRules timing = rules_.timing;
  if (const int best = bestOf(known_); best >= 0)
    timing.toBeat = family_.flops() / (*known_[best] * 1e9);
  const Outcome outcome = runIsolated(
      [&] {
        const auto body = family_.load(compiled.file);
        const std::string wrong = body->verify();
        return textOf(wrong, wrong.empty() ? timeRounds([&] { return body->run(); }, timing) : Timing());
      },
      rules_.evaluation);
  if (outcome.ending == Ending::Interrupted)
    return;
  if (outcome.ending == Ending::Done)
    return add(compiled.candidate, resultOf(outcome.text, family_.flops()));
  Result result;
  result.status = statusOf(outcome.ending);
  result.message = outcome.text;
  add(compiled.candidate, std::move(result));
}

void Tuner::add(int candidate, Result result) {
  result.point = candidates_[candidate];
  known_[candidate] = isRated(result.status) ? result.gflops : 0;
  ++outcome_.evaluated;
  database_.add(result);
}

/// Fastest first.
std::vector<int> Tuner::bestCandidates() const {
  std::vector<int> order(candidates_.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](int each) { return known_[each].value_or(0) <= 0; });
  std::ranges::stable_sort(order, std::greater(), [&](int each) { return *known_[each]; });
  order.resize(std::min<std::size_t>(order.size(), rules_.finalists));
  return order;
}

void Tuner::compare() {
  tell("comparing the best");
  std::vector<Compiled> best = compile(bestCandidates());
  std::erase_if(best, [](const Compiled &each) { return each.file.empty(); });
  const Limits limits{rules_.evaluation.seconds * 5, rules_.evaluation.memory};
  const Outcome outcome = runIsolated([&] { return timeFinalists(best); }, limits);
  if (outcome.ending != Ending::Done) {
    outcome_.failure = outcome.text + (outcome.errors.empty() ? "" : ": " + firstError(outcome.errors));
    return;
  }
  Final final = finalOf(outcome.text);
  for (const Compiled &each : best)
    if (candidates_.text(each.candidate) == final.winner)
      outcome_.winnerFile = each.file;
  if (!best.empty())
    database_.add(final);
  outcome_.final = std::move(final);
}

/// Times the finalists in a process of its own.
std::string Tuner::timeFinalists(const std::vector<Compiled> &best) const {
  std::vector<Peer> all;
  for (const Compiled &each : best)
    all.push_back({candidates_.text(each.candidate), Kind::Candidate, family_.load(each.file), family_.flops()});
  std::ranges::move(family_.peers(folder_), std::back_inserter(all));
  std::vector<std::function<double()>> rounds;
  for (const Peer &each : all)
    rounds.push_back([&each] { return each.body->run(); });
  const std::vector<Timing> timings = timeInterleaved(rounds, rules_.finalRounds);
  Json json = Json::array();
  for (std::size_t each = 0; each < all.size(); ++each)
    json.push_back(
        {all[each].name, all[each].kind, all[each].flops / timings[each].seconds * 1e-9, timings[each].spread});
  return json.dump();
}

} // namespace hetc::tuning
