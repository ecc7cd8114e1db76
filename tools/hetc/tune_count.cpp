#include "tools/hetc/tune.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <sstream>

namespace hetc::tools {

namespace {

/// An exact integer, or few digits where doubles do not hold them all.
std::string printCount(double count) {
  std::ostringstream out;
  if (count < 0x1p53)
    out << static_cast<std::int64_t>(count);
  else
    out << count;
  return out.str();
}

/// "dim_m, blk_n": where a constraint is tested; '-' before all loops.
std::vector<std::string> loopNames(const tuning::EnumerationPlan &plan, const tuning::FunnelRow &row) {
  std::vector<std::string> names;
  for (const int level : row.levels)
    if (level != tuning::beforeLoops)
      names.push_back(plan.iterator(level).name);
  return names;
}

/// Columns as wide as they need; the first three to the left, numbers to the right.
void printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto &row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string blanks(widths[column] - row[column].size(), ' ');
      line += (column ? "  " : "") + (column < 3 ? row[column] + blanks : blanks + row[column]);
    }
    std::cout << line << "\n";
  }
}

void printFunnel(const tuning::EnumerationPlan &plan, const tuning::Enumeration &result) {
  std::vector<std::vector<std::string>> rows = {{"constraint", "kind", "tested in", "tests", "removed", "left"}};
  rows.push_back({"(none)", "", "", "", "", printCount(result.raw)});
  for (const tuning::FunnelRow &row : result.funnel) {
    const tuning::Constraint &constraint = plan.space.constraints[row.constraint];
    std::string loops;
    for (const std::string &name : loopNames(plan, row))
      loops += (loops.empty() ? "" : ", ") + name;
    rows.push_back({constraint.name, tuning::name(constraint.kind), loops, std::to_string(row.tests),
                    printCount(row.removed), printCount(row.left)});
  }
  printTable(rows);
}

void printReport(const tuning::EnumerationPlan &plan, const Enumerated &timing, int threads) {
  const tuning::Enumeration &result = timing.result;
  printFunnel(plan, result);
  std::string ends;
  for (std::size_t level = 0; level < plan.loops.size(); ++level)
    if (result.last[level] != tuning::unknownLast)
      ends += (ends.empty() ? "" : ", ") + plan.iterator(level).name + " = " + std::to_string(result.last[level]);
  if (!ends.empty())
    std::cout << "open-ended iterators are counted up to " << ends << "\n";
  const double perCore = 1 / (timing.seconds * threads);
  std::ostringstream line;
  line.precision(3);
  line << timing.seconds << " s on " << threads << (threads == 1 ? " core: " : " cores: ") << result.raw * perCore
       << " raw points/s per core; " << result.visited << " points visited, "
       << static_cast<double>(result.visited) * perCore << "/s per core\n";
  std::cout << line.str() << result.left << (result.left == 1 ? " candidate is left\n" : " candidates are left\n");
}

void printJson(const TuneOptions &options, const tuning::EnumerationPlan &plan, const Enumerated &timing) {
  const tuning::Enumeration &result = timing.result;
  using Json = nlohmann::ordered_json;
  const auto exact = [](double count) { return count < 0x1p53 ? Json(static_cast<std::int64_t>(count)) : Json(count); };
  Json funnel = Json::array(), ends = Json::object();
  for (const tuning::FunnelRow &row : result.funnel) {
    const tuning::Constraint &constraint = plan.space.constraints[row.constraint];
    funnel.push_back({{"constraint", constraint.name},
                      {"kind", tuning::name(constraint.kind)},
                      {"loops", loopNames(plan, row)},
                      {"tests", row.tests},
                      {"removed", exact(row.removed)},
                      {"left", exact(row.left)}});
  }
  for (std::size_t level = 0; level < plan.loops.size(); ++level)
    if (result.last[level] != tuning::unknownLast)
      ends[plan.iterator(level).name] = result.last[level];
  const Json report = {{"kernel", plan.space.kernel}, {"space", options.spaceFile}, {"raw", exact(result.raw)},
                       {"left", result.left},         {"visited", result.visited},  {"funnel", funnel},
                       {"open_ended_last", ends},     {"threads", options.threads}, {"seconds", timing.seconds}};
  std::cout << report.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

} // namespace

int countCandidates(const TuneOptions &options, const SpaceFile &space) {
  const std::optional<Enumerated> enumerated = enumerateSpace(space, options.threads, /*collectPoints=*/false);
  if (!enumerated)
    return 2;
  if (options.json)
    printJson(options, space.plan, *enumerated);
  else
    printReport(space.plan, *enumerated, options.threads);
  return enumerated->result.left > 0 ? 0 : space.reject(tuning::explainEmpty(space.plan, enumerated->result));
}

} // namespace hetc::tools
