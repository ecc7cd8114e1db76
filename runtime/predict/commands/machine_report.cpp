#include "runtime/predict/commands/machine_report.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;

constexpr double giga = 1e-9, mega = 1e-6;

/// The sums over the elements of one kind.
struct KindCost {
  double best = 0, operations = 0, leastWords = 0, words = 0, seconds = 0;
  bool counted = false;
};

KindCost sumOf(const MachineCost &cost, std::size_t kind) {
  KindCost sum;
  for (const ElementCost &each : cost.elements)
    if (each.kind == kind) {
      sum.best += each.best;
      sum.operations += each.operations;
      sum.leastWords += each.leastWords;
      sum.words += each.words.value_or(0);
      sum.seconds = std::max(sum.seconds, each.seconds);
      sum.counted = each.words.has_value();
    }
  return sum;
}

const Element &numbersOfKind(const MachineCost &cost, std::size_t kind) {
  return std::find_if(cost.elements.begin(), cost.elements.end(),
                      [&](const ElementCost &each) { return each.kind == kind; })
      ->numbers;
}

/// Two columns of 11.
std::string shareAndOf(double part, double whole) {
  return format("%11.3f%8.4f", part * giga, whole > 0 ? part / whole : 0);
}

std::string kindLine(const MachineCost &cost, std::size_t kind) {
  const ComputeElement &element = cost.machine.elements[kind];
  const Element &numbers = numbersOfKind(cost, kind);
  const KindCost sum = sumOf(cost, kind);
  const std::string name = element.count > 1 ? format("%d %s", element.count, element.name.c_str()) : element.name;
  std::string text = format("  %-22s%10.4g%10.4g%10.4g", name.substr(0, 21).c_str(), numbers.gamma * 1e12,
                            numbers.beta * 1e12, numbers.alpha * 1e6);
  text += std::isinf(numbers.memory) ? format("%10s", "-") : format("%10.4g", numbers.memory * mega);
  text += shareAndOf(sum.best, cost.work.operations) + shareAndOf(sum.operations, cost.work.operations);
  text += sum.counted ? format("%12.3f", sum.words * mega) : format("%12s", "-");
  return text + format("%12.3f%12s\n", sum.leastWords * mega, formatSeconds(sum.seconds).c_str());
}

/// A line on the matrices that do not fit into a memory, or nothing.
std::string memoryLine(const MachineCost &cost) {
  for (const ElementCost &each : cost.elements)
    if (each.held > each.numbers.memory)
      return format("  does not fit: node %d keeps up to %.3f M words, and has room for %.3f\n", each.node,
                    each.held * mega, each.numbers.memory * mega);
  return "";
}

std::string secondsOrNone(const std::optional<double> &seconds) { return seconds ? formatSeconds(*seconds) : "-"; }

Json orNull(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }
Json finiteOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json elementJson(const MachineCost &cost, const ElementCost &each) {
  return {{"name", cost.machine.elements[each.kind].name},
          {"node", each.node},
          {"gamma", each.numbers.gamma},
          {"beta", each.numbers.beta},
          {"alpha", each.numbers.alpha},
          {"memory_words", finiteOrNull(each.numbers.memory)},
          {"xi", xi(each.numbers, cost.wordsPerOperation())},
          {"delta", delta(each.numbers)},
          {"best_operations", each.best},
          {"operations", each.operations},
          {"words", orNull(each.words)},
          {"messages", orNull(each.messages)},
          {"least_words", each.leastWords},
          {"held_words", each.held},
          {"seconds", each.seconds}};
}

} // namespace

std::string ratioText(const MachineCost &cost) {
  return cost.bound > 0 ? format("%.3f", cost.seconds / cost.bound) : "-";
}

std::string machineTable(const MachineCost &cost) {
  const MachineNumbers &machine = cost.machine;
  std::string text = "  on " + machine.name + ": " + machine.description + "\n";
  text += format("  G = %.3f G operations, I + O = %.3f M words, c = %.3g\n", cost.work.operations * giga,
                 cost.work.words * mega, cost.wordsPerOperation());
  if (!cost.work.updates)
    text += "  operations are the author's own or bound by memory: nothing is said of words but I + O\n";
  text += format("  %-22s%10s%10s%10s%10s%11s%8s%11s%8s%12s%12s%12s\n", "each", "gamma ps", "beta ps", "alpha us",
                 "M Mwords", "best G", "of it", "here G", "of it", "M words", "at least", "time");
  for (std::size_t kind = 0; kind < machine.elements.size(); ++kind)
    text += kindLine(cost, kind);
  text += memoryLine(cost);
  text += format("  %-22s%12s", "time at least (4)", formatSeconds(cost.bound).c_str());
  if (machine.shared)
    text += "; input and output (5) " + secondsOrNone(cost.transferBound) + ", as own words (8) " +
            secondsOrNone(cost.wordBound) + ", updates (11) " + secondsOrNone(cost.updateBound);
  return text +
         format("\n  %-22s%12s, %s of it\n", "time here", formatSeconds(cost.seconds).c_str(), ratioText(cost).c_str());
}

nlohmann::ordered_json machineJson(const MachineCost &cost) {
  Json json;
  json["name"] = cost.machine.name;
  json["shared_memory"] = cost.machine.shared;
  json["operations"] = cost.work.operations;
  json["input_output_words"] = cost.work.words;
  json["words_per_operation"] = cost.wordsPerOperation();
  json["updates"] = cost.work.updates;
  json["bound_seconds"] = cost.bound;
  json["bound_5_seconds"] = orNull(cost.transferBound);
  json["bound_8_seconds"] = orNull(cost.wordBound);
  json["bound_11_seconds"] = orNull(cost.updateBound);
  json["seconds"] = cost.seconds;
  json["ratio"] = cost.bound > 0 ? Json(cost.seconds / cost.bound) : Json(nullptr);
  json["elements"] = Json::array();
  for (const ElementCost &each : cost.elements)
    json["elements"].push_back(elementJson(cost, each));
  return json;
}

} // namespace tla::host
