#include "tools/hetc/tune.hpp"

#include "compiler/cache/cache.hpp"
#include "compiler/process/files.hpp"
#include "dsl/base/cache_folder.hpp"
#include "dsl/base/progress_line.hpp"
#include "dsl/base/text.hpp"
#include "kernels/tuning/nest.hpp"
#include "tools/tuner/hashes.hpp"
#include "tools/tuner/report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <unistd.h>

namespace hetc::tools {

namespace {
namespace fs = std::filesystem;
using tla::format;
using tuning::Final;
using tuning::Finalist;
using tuning::Result;
using tuning::Status;

constexpr int exitFailed = 1, exitUnwritten = 4, exitInterrupted = 130;
/// More would not fit in memory, and nobody could measure a part of them that matters.
constexpr std::int64_t mostCandidates = 2'000'000;

void remark(const std::string &text) { std::cerr << "hetc: tune: " << text << "\n"; }

/// A folder of its own in the temporary directory, for as long as it lives.
class WorkingFolder {
public:
  WorkingFolder() {
    std::string pattern = fs::temp_directory_path() / "hetc-tune-XXXXXX";
    if (const char *made = ::mkdtemp(pattern.data()))
      path_ = made;
  }
  WorkingFolder(const WorkingFolder &) = delete;
  WorkingFolder &operator=(const WorkingFolder &) = delete;
  ~WorkingFolder() {
    std::error_code ignored;
    if (!path_.empty())
      fs::remove_all(path_, ignored);
  }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// The line on the terminal that says how far the search is.
class ProgressLine {
public:
  explicit ProgressLine(std::string label) : label_(std::move(label)), draws_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void draw(const tuning::Progress &progress) {
    using namespace tla;
    if (!draws_)
      return;
    const double part = std::clamp(progress.part, 0.0, 1.0);
    const std::string begin = label_ + format(" %3.0f%% ", 100 * part), bar = progressBar(part, 16);
    const std::string best = format(" %d tried, best %.1f Gflop/s", progress.evaluated, progress.best);
    const std::string left = part > 0 && part < 1 ? timeLeft(progress.seconds * (1 - part) / part) : "";
    std::cerr << "\r"
              << fittingLine({begin + bar + best + left + "; " + progress.doing, begin + bar + best + left,
                              begin + best, begin},
                             terminalColumns())
              << "\033[K" << std::flush;
  }
  void clear() {
    if (draws_)
      std::cerr << "\r\033[K" << std::flush;
  }

private:
  std::string label_;
  bool draws_;
};

/// The constants of a point: values of all symbols of the space.
tuning::Constants constantsAt(const tuning::EnumerationPlan &plan, const tuning::Point &point) {
  const std::vector<std::int64_t> values = tuning::valuesAt(plan, point);
  tuning::Constants constants;
  for (std::size_t symbol = 0; symbol < values.size(); ++symbol)
    constants.emplace_back(plan.space.symbols[symbol].name, values[symbol]);
  return constants;
}

struct Counted {
  tuning::Candidates candidates;
  std::vector<tuning::Report::Step> funnel;
};

std::vector<tuning::Report::Step> funnelOf(const tuning::EnumerationPlan &plan,
                                           const tuning::Enumeration &enumeration) {
  std::vector<tuning::Report::Step> steps = {{"all points", enumeration.raw}};
  for (const tuning::FunnelRow &row : enumeration.funnel)
    steps.push_back({plan.space.constraints[row.constraint].name, row.left});
  return steps;
}

/// All candidates; empty after an error was shown.
std::optional<Counted> candidatesOf(const TuneOptions &options, const SpaceFile &space) {
  const auto counted = enumerateSpace(space, options.threads, /*collectPoints=*/false);
  if (!counted)
    return std::nullopt;
  if (counted->result.left == 0) {
    space.reject(tuning::explainEmpty(space.plan, counted->result));
    return std::nullopt;
  }
  if (counted->result.left > mostCandidates) {
    failTune("the space has " + std::to_string(counted->result.left) + " candidates, more than " +
             std::to_string(mostCandidates) + "; add constraints that remove the slow ones");
    return std::nullopt;
  }
  auto enumerated = enumerateSpace(space, options.threads, /*collectPoints=*/true);
  if (!enumerated)
    return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t level = 0; level < space.plan.loops.size(); ++level)
    names.push_back(space.plan.iterator(level).name);
  return Counted{tuning::Candidates(std::move(names), std::move(enumerated->result.points)),
                 funnelOf(space.plan, enumerated->result)};
}

/// The default configuration, which is measured first; -1: the space has none.
int defaultOf(const SpaceFile &space, const tuning::Candidates &candidates) {
  const auto point = tuning::defaultPoint(space.plan);
  if (!point)
    return -1;
  const int candidate = candidates.find(*point);
  if (candidate < 0)
    remark("the space's default, " + tuning::textOf(candidates.names(), *point) +
           ", is no candidate on this machine; it is not measured");
  return candidate;
}

/// Compiles one candidate, to know what candidates are made of: a hash of all files. Empty after an error was shown.
std::string hashOfSources(const tuning::Family &family, const tuning::Constants &constants, const std::string &folder) {
  const tuning::Outcome outcome = tuning::runIsolated(
      [&] {
        std::string files;
        for (const std::string &file : family.compile(constants, folder + "/first.so"))
          files += file + "\n";
        return files;
      },
      tuning::Limits());
  if (outcome.ending != tuning::Ending::Done || outcome.text.empty()) {
    std::cerr << outcome.errors;
    failTune("the candidates cannot be compiled" + (outcome.text.empty() ? "" : " (" + outcome.text + ")"));
    return "";
  }
  std::vector<std::string> files;
  std::istringstream lines(outcome.text);
  for (std::string file; std::getline(lines, file);)
    files.push_back(file);
  return tuning::hashOfFiles(files);
}

/// Where results are kept without --database.
std::string usualDatabase(const tuning::Identity &identity) {
  std::string all = identity.device + identity.driver + identity.compiler + identity.sources + identity.problem;
  for (const std::string &iterator : identity.iterators)
    all += " " + iterator;
  std::string target = identity.target;
  std::ranges::replace(target, ':', '-');
  return tla::cacheFolder().string() + "/tuning/" + identity.kernel + "-" + target + "-" + identity.type + "-" +
         tuning::hashOfText(all).substr(0, 16) + ".jsonl";
}

int countOf(const tuning::Database &database, Status status) {
  return static_cast<int>(std::ranges::count(database.results(), status, &Result::status));
}

constexpr Status failures[] = {Status::Wrong, Status::Uncompiled, Status::Crashed, Status::TimedOut,
                               Status::OutOfMemory};

/// One line for each kind of failure, with the first of them.
void printFailures(const tuning::Candidates &candidates, const tuning::Database &database) {
  for (const Status status : failures)
    if (const int count = countOf(database, status)) {
      const Result &first = *std::ranges::find(database.results(), status, &Result::status);
      std::cout << count << " " << tuning::name(status) << ", never used; the first is "
                << tuning::textOf(candidates.names(), first.point) << ": " << first.message << "\n";
    }
}

std::string noteOf(const Finalist &finalist, const std::string &defaultName) {
  return finalist.name == defaultName             ? "  (the default)"
         : finalist.kind == tuning::Kind::Limit   ? "  (the limit)"
         : finalist.kind == tuning::Kind::Shipped ? "  (used without tuning)"
                                                  : "";
}

void printFinal(const Final &final, const std::string &defaultName) {
  std::cout << "  Gflop/s  spread\n";
  for (const Finalist &each : final.finalists)
    std::cout << format("%9.1f  %5.1f%%  ", each.gflops, 100 * each.spread) << each.name << noteOf(each, defaultName)
              << "\n";
}

struct Search {
  const TuneOptions &options;
  const tuning::Candidates &candidates;
  const tuning::Database &database;
  const tuning::Identity &identity;
  const tuning::TuneOutcome &outcome;
  const std::vector<tuning::Report::Step> &funnel;
  std::string databaseFile;
  int first = -1; ///< the default
  const tuning::Family &family;
  const std::function<tuning::Constants(int)> &constants; ///< constants of a candidate
  std::string folder;                                     ///< folder for temporary files

  std::string defaultName() const { return first >= 0 ? candidates.text(first) : ""; }
};

void printReport(const Search &search) {
  const tuning::Database &database = search.database;
  std::cout << search.identity.kernel << " " << search.identity.type << " on " << search.identity.device << ", "
            << search.identity.problem << "\n"
            << search.candidates.size() << (search.candidates.size() == 1 ? " candidate, " : " candidates, ")
            << search.outcome.evaluated << " tried in " << format("%.0f s", search.outcome.seconds)
            << "; known: " << countOf(database, Status::Measured) << " measured, " << countOf(database, Status::Slow)
            << " abandoned as slow\n";
  printFailures(search.candidates, database);
  if (search.outcome.final && !search.outcome.final->finalists.empty())
    printFinal(*search.outcome.final, search.defaultName());
}

nlohmann::ordered_json rateOf(const Finalist *finalist) {
  return finalist ? nlohmann::ordered_json(finalist->gflops) : nlohmann::ordered_json();
}

void printJson(const Search &search, const std::optional<tuning::Installed> &installed) {
  using Json = nlohmann::ordered_json;
  const auto rated = [](const Finalist &each) {
    return Json{
        {"name", each.name}, {"kind", tuning::name(each.kind)}, {"gflops", each.gflops}, {"spread", each.spread}};
  };
  Json counts = Json::object(), finalists = Json::array();
  for (const Status status : {Status::Measured, Status::Slow, Status::Wrong, Status::Uncompiled, Status::Crashed,
                              Status::TimedOut, Status::OutOfMemory})
    counts[tuning::name(status)] = countOf(search.database, status);
  Json report = {{"kernel", search.identity.kernel},
                 {"type", search.identity.type},
                 {"target", search.identity.target},
                 {"device", search.identity.device},
                 {"problem", search.identity.problem},
                 {"strategy", search.options.rules.strategy},
                 {"candidates", search.candidates.size()},
                 {"evaluated", search.outcome.evaluated},
                 {"known", counts},
                 {"seconds", search.outcome.seconds},
                 {"interrupted", search.outcome.interrupted},
                 {"default", search.defaultName()}};
  if (const auto &final = search.outcome.final) {
    for (const Finalist &each : final->finalists)
      finalists.push_back(rated(each));
    report["winner"] = final->winner;
    report["gflops"] = rateOf(final->findWinner());
    report["shipped_gflops"] = rateOf(final->find(tuning::Kind::Shipped));
    report["library_gflops"] = rateOf(final->find(tuning::Kind::Library));
    report["limit_gflops"] = rateOf(final->find(tuning::Kind::Limit));
  }
  report["finalists"] = finalists;
  report["installed"] = installed && installed->problem.empty();
  if (installed && !installed->products.empty()) {
    Json &products = report["products"] = Json::array();
    for (const auto &each : installed->products)
      products.push_back({{"ops", each.ops},
                          {"from", each.from ? Json(each.from) : Json()},
                          {"gflops", each.problem.empty() ? Json(each.gflops) : Json()},
                          {"library_gflops", each.problem.empty() ? Json(each.libraryGflops) : Json()},
                          {"problem", each.problem.empty() ? Json() : Json(each.problem)}});
  }
  report["database"] = search.databaseFile;
  std::cout << report.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

void printVerdict(const Search &search) {
  const auto &final = search.outcome.final;
  const Finalist *winner = final ? final->findWinner() : nullptr;
  if (!winner)
    return;
  std::cout << "fastest: " << winner->name;
  for (const tuning::Kind kind : {tuning::Kind::Shipped, tuning::Kind::Library})
    if (const Finalist *other = final->find(kind); other && other != winner)
      std::cout << format(", %.2fx %s", winner->gflops / other->gflops, other->name.c_str());
  if (const Finalist *limit = final->find(tuning::Kind::Limit))
    std::cout << format(", %.0f%% of the limit", 100 * winner->gflops / limit->gflops);
  std::cout << "\n";
}

/// Where the fastest candidate is used from now on, if not everywhere.
void printProducts(const tuning::Installed &installed) {
  for (const auto &each : installed.products)
    if (each.problem.empty())
      std::cout << "ops " << each.ops << format(": %.1f Gflop/s, the library %.1f; ", each.gflops, each.libraryGflops)
                << (each.from ? "used from " + std::to_string(each.from) + " on" : "the library is used") << "\n";
    else
      std::cout << "ops " << each.ops << ": " << each.problem << "; the library is used\n";
}

/// False after an error was shown.
bool writeReport(const Search &search) {
  tuning::Report report;
  report.title = "hetc tune " + search.identity.kernel + ", type " + search.identity.type;
  report.notes = {search.identity.device + "; " + search.identity.problem + "; " + search.identity.compiler,
                  std::to_string(search.candidates.size()) + " candidates, " +
                      std::to_string(search.database.results().size()) + " of them evaluated"};
  for (const Result &result : search.database.results())
    if (tuning::isRated(result.status))
      report.rates.push_back(result.gflops);
  for (const Status status : failures)
    if (const int count = countOf(search.database, status))
      report.notes.push_back(std::to_string(count) + " " + tuning::name(status));
  if (search.outcome.final)
    report.finalists = search.outcome.final->finalists;
  report.defaultName = search.defaultName();
  report.funnel = search.funnel;
  const std::string &file = search.options.reportFile;
  return process::writeFile(file, fs::path(file).extension() == ".svg" ? svgOf(report) : htmlOf(report));
}

/// Some candidate is right, as far as is known.
bool anyRated(const tuning::Database &database) {
  return std::ranges::any_of(database.results(), tuning::isRated, &Result::status);
}

/// By name.
int findCandidate(const Search &search, const std::string &name) {
  for (const Result &result : search.database.results())
    if (const int candidate = search.candidates.find(result.point);
        candidate >= 0 && search.candidates.text(candidate) == name)
      return candidate;
  return -1;
}

/// Programs use from now on what has been found; none: nothing is new.
std::optional<tuning::Installed> install(const Search &search) {
  const auto &final = search.outcome.final;
  if (!final || !final->find(tuning::Kind::Candidate) || search.outcome.interrupted ||
      (search.outcome.evaluated == 0 && search.family.isInstalled(*final)))
    return std::nullopt;
  for (const Finalist &each : final->finalists) // fastest first
    if (const int candidate = each.kind == tuning::Kind::Candidate ? findCandidate(search, each.name) : -1;
        candidate >= 0 && search.family.isUsable(search.constants(candidate)))
      return search.family.install(search.outcome, search.constants(candidate), search.folder);
  return tuning::Installed{"those of the last comparison can only be measured", {}};
}

/// Reports and installs after the search; returns the exit code.
int finish(const Search &search) {
  if (!search.options.json) {
    printReport(search);
    printVerdict(search);
    std::cout.flush();
  }
  const std::optional<tuning::Installed> installed = install(search);
  const bool interrupted = search.outcome.interrupted || tuning::Interruption::signal();
  if (search.options.json)
    printJson(search, installed);
  else if (installed)
    printProducts(*installed);
  std::cout.flush();
  const bool isReported = search.options.reportFile.empty() || writeReport(search);
  if (!search.outcome.failure.empty())
    remark("the best could not be compared: " + search.outcome.failure);
  if (interrupted) {
    remark("interrupted; what was found is kept, and --resume goes on from there");
    return exitInterrupted;
  }
  if (installed && !installed->problem.empty()) {
    remark("the fastest is not used from now on: " + installed->problem);
    return exitUnwritten;
  }
  if (search.database.results().empty() || anyRated(search.database))
    return search.database.isWritten() && isReported ? 0 : exitUnwritten;
  remark("none of the candidates that were tried can be used");
  return exitFailed;
}

} // namespace

int searchCandidates(const TuneOptions &options, const tuning::Family &family, const SpaceFile &space) {
  const auto counted = candidatesOf(options, space);
  if (!counted)
    return 2;
  const tuning::Candidates &candidates = counted->candidates;
  const WorkingFolder folder;
  if (folder.path().empty())
    return failTune("cannot make a folder in '" + fs::temp_directory_path().string() + "'");
  const tuning::Interruption interruption;
  const std::function<tuning::Constants(int)> constants = [&](int candidate) {
    return constantsAt(space.plan, candidates[candidate]);
  };
  const int first = defaultOf(space, candidates);
  tuning::Identity identity = family.identity();
  identity.iterators = candidates.names();
  identity.sources = hashOfSources(family, constants(std::max(first, 0)), folder.path());
  if (tuning::Interruption::signal())
    return exitInterrupted;
  if (identity.sources.empty())
    return 2;
  const std::string file = options.databaseFile.empty() ? usualDatabase(identity) : options.databaseFile;
  auto database = tuning::Database::open(file, identity, options.resume, remark);
  if (const auto *error = std::get_if<std::string>(&database))
    return failTune(*error);
  tuning::Database &results = *std::get<0>(database);
  tuning::TuneRules rules = options.rules;
  rules.evaluation.memory = family.memory();
  tuning::Tuner tuner(family, candidates, constants, results, folder.path(), rules);
  tuning::TuneOutcome outcome;
  {
    ProgressLine line("tune " + options.kernel + " " + options.type);
    outcome = tuner.run(first, [&](const tuning::Progress &progress) { line.draw(progress); });
  }
  return finish({options, candidates, results, identity, outcome, counted->funnel, file, first, family, constants,
                 folder.path()});
}

} // namespace hetc::tools
