#include "tools/hetc/tune_report.hpp"

#include "compiler/process/files.hpp"
#include "dsl/base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace hetc::tools {

namespace {
namespace fs = std::filesystem;
using tla::format;
using tuning::Final;
using tuning::Finalist;
using tuning::Result;
using tuning::Status;

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

nlohmann::ordered_json rateOf(const Finalist *finalist) {
  return finalist ? nlohmann::ordered_json(finalist->gflops) : nlohmann::ordered_json();
}

} // namespace

void printReport(const EndedSearch &search) {
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

void printJson(const EndedSearch &search, const std::optional<tuning::Installed> &installed) {
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

void printVerdict(const EndedSearch &search) {
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

void printProducts(const tuning::Installed &installed) {
  for (const auto &each : installed.products)
    if (each.problem.empty())
      std::cout << "ops " << each.ops << format(": %.1f Gflop/s, the library %.1f; ", each.gflops, each.libraryGflops)
                << (each.from ? "used from " + std::to_string(each.from) + " on" : "the library is used") << "\n";
    else
      std::cout << "ops " << each.ops << ": " << each.problem << "; the library is used\n";
}

bool writeReport(const EndedSearch &search) {
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

} // namespace hetc::tools
