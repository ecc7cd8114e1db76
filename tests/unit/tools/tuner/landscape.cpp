#include "tests/unit/tools/tuner/landscape.hpp"

#include "kernels/tuning/nest.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hetc::tuning {

namespace {
/// The rate of the model: 130 where every factor is 1.
double modelRate(const std::map<std::string, double> &at) {
  const auto near = [&](const char *name, double best, double width) {
    const double steps = std::log2(at.at(name) / best) / width;
    return 1 / (1 + steps * steps);
  };
  const double accumulators = at.at("vectors") * at.at("columns");
  const double loads = (at.at("vectors") + at.at("columns")) / accumulators; // per multiply-add
  double efficiency = std::min(1.0, accumulators / 24) / (1 + loads * loads);
  efficiency *= near("unroll", 2, 4) * near("kc", 400, 2) * near("mc", 110, 3) * near("nc", 1020, 5);
  efficiency *= at.at("prefetch") == (at.at("vectors") > 2 ? 16 : 8) ? 1 : 0.96;
  efficiency *= at.at("order") == (at.at("columns") > 8 ? 1 : 0) ? 1 : 0.93;
  return 130 * efficiency;
}

/// A factor between 0.98 and 1.02, the same for the same point.
double noise(const Point &point) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::int64_t value : point)
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211u;
  return 0.98 + 0.04 * static_cast<double>(hash >> 40) / static_cast<double>(1 << 24);
}

std::string readFile(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("cannot read " + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
} // namespace

Landscape readLandscape(const std::string &file) {
  std::istringstream lines(readFile(file));
  std::string line;
  std::getline(lines, line);
  const auto names = nlohmann::json::parse(line).at("iterators").get<std::vector<std::string>>();
  std::map<Point, double> rates;
  while (std::getline(lines, line))
    if (const auto json = nlohmann::json::parse(line); json.contains("point"))
      rates[json["point"].get<Point>()] = json["gflops"].get<double>();
  std::vector<Point> points;
  Landscape landscape{file, Candidates(names, {Point(names.size())}), {}, -1};
  for (const auto &[point, rate] : rates) {
    points.push_back(point);
    landscape.rates.push_back(rate);
  }
  landscape.candidates = Candidates(names, points);
  return landscape;
}

Landscape modelLandscape(const std::string &spaceFile) {
  const EnumerationPlan made = std::get<EnumerationPlan>(plan(std::get<Space>(parseSpace(readFile(spaceFile)))));
  const Enumeration all = std::get<Enumeration>(enumerate(made, {1, /*collectPoints=*/true}));
  std::vector<std::string> names;
  for (std::size_t level = 0; level < made.loops.size(); ++level)
    names.push_back(made.iterator(level).name);
  Landscape landscape{"model", Candidates(names, all.points), {}, -1};
  for (const Point &point : all.points) {
    std::map<std::string, double> at;
    for (std::size_t iterator = 0; iterator < names.size(); ++iterator)
      at[names[iterator]] = static_cast<double>(point[iterator]);
    landscape.rates.push_back(modelRate(at) * noise(point));
  }
  if (const auto usual = defaultPoint(made))
    landscape.first = landscape.candidates.find(*usual);
  return landscape;
}

double qualityOf(const std::string &strategy, const Landscape &landscape, int evaluations, unsigned seed) {
  Known known(landscape.candidates.size());
  int evaluated = 0;
  const auto evaluate = [&](int candidate) {
    if (known[candidate])
      throw std::logic_error("proposed twice");
    known[candidate] = landscape.rates[candidate];
    ++evaluated;
  };
  if (landscape.first >= 0)
    evaluate(landscape.first);
  const auto search = makeStrategy(strategy, landscape.candidates, seed);
  while (evaluated < evaluations) {
    const std::vector<int> batch = search->propose(known, std::min(2, evaluations - evaluated));
    if (batch.empty())
      break;
    for (const int candidate : batch)
      evaluate(candidate);
  }
  const int best = bestOf(known);
  return best < 0 ? 0 : *known[best] / std::ranges::max(landscape.rates);
}

} // namespace hetc::tuning
