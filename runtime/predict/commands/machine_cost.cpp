#include "runtime/predict/commands/machine_cost.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>

namespace tla::host {
namespace {
using runtime::Cost;
using runtime::CostOptions;
using runtime::DeviceCost;
using runtime::NodeCost;

class Comparison {
public:
  Comparison(const MachineNumbers &machine, const Problem &problem, const Cost &cost)
      : cost_(cost), type_(problem.algorithm->type), updates_(cost.userFlops == 0 && cost.total().updateFlops > 0) {
    result_.machine = machine;
    const NodeCost total = cost.total();
    result_.work = {
        .operations = operations(total), .words = words(cost.inputBytes + cost.outputBytes), .updates = updates_};
  }

  MachineCost ofNodes() {
    requireNodes();
    std::size_t node = 0;
    for (std::size_t kind = 0; kind < result_.machine.elements.size(); ++kind)
      for (int i = 0; i < result_.machine.elements[kind].count; ++i)
        addNode(kind, static_cast<int>(node++));
    return finish(fastestNodes(numbers(), result_.work));
  }

  MachineCost ofElements(const CostOptions &options) {
    requireDevices(options);
    for (std::size_t node = 0; node < cost_.nodes.size(); ++node) {
      addCores(static_cast<int>(node));
      std::size_t device = 0;
      for (std::size_t kind = 1; kind < result_.machine.elements.size(); ++kind)
        for (int i = 0; i < result_.machine.elements[kind].count; ++i)
          addDevice(kind, static_cast<int>(node), cost_.nodes[node].devices[device++]);
    }
    const std::vector<Element> elements = numbers();
    std::vector<double> xis, deltas;
    for (const Element &element : elements) {
      xis.push_back(xi(element, result_.wordsPerOperation()));
      deltas.push_back(delta(element));
    }
    result_.transferBound = fastestTransfer(elements, result_.work).seconds;
    result_.wordBound = simultaneousEnd(xis, result_.work.operations);
    if (updates_)
      result_.updateBound = simultaneousEnd(deltas, result_.work.operations);
    return finish(fastestPartition(elements, result_.work));
  }

private:
  double words(std::uint64_t bytes) const { return static_cast<double>(bytes) / double(elementBytes(type_)); }
  /// The operations of a NodeCost or a DeviceCost.
  template <typename Counted> double operations(const Counted &cost) const {
    return (updates_ ? cost.updateFlops : cost.flops) / flopFactor(type_);
  }
  std::vector<Element> numbers() const {
    std::vector<Element> elements;
    for (const ElementCost &each : result_.elements)
      elements.push_back(each.numbers);
    return elements;
  }
  double updateWordsOf(double operations, double memory) const {
    return updates_ ? updateWords(operations, memory) : 0;
  }

  void requireNodes() const {
    if (result_.machine.count() != static_cast<int>(cost_.nodes.size()))
      throw UsageError(format("--machine %s has %d nodes, the distribution has %zu", result_.machine.name.c_str(),
                              result_.machine.count(), cost_.nodes.size()));
  }
  void requireDevices(const CostOptions &options) const {
    const int devices = result_.machine.count() - 1;
    if (devices != static_cast<int>(options.devices.size()))
      throw UsageError(format("--machine %s has %d elements beside its cores, --devices names %zu accelerators",
                              result_.machine.name.c_str(), devices, options.devices.size()));
    std::size_t device = 0;
    for (std::size_t kind = 1; kind < result_.machine.elements.size(); ++kind)
      for (int i = 0; i < result_.machine.elements[kind].count; ++i, ++device) {
        const ComputeElement &element = result_.machine.elements[kind];
        const runtime::DeviceDescription &described = options.devices[device];
        if (static_cast<double>(described.memoryBytes) > element.memory)
          throw UsageError(format(
              "%s has %s for tiles, %s of --machine %s only %s: give --devices with mem=", described.name.c_str(),
              formatBytes(double(described.memoryBytes)).c_str(), element.name.c_str(), result_.machine.name.c_str(),
              formatBytes(element.memory).c_str()));
      }
  }

  ElementCost elementOf(std::size_t kind, int node, double operations) const {
    return {.kind = kind,
            .node = node,
            .numbers = numbersFor(result_.machine.elements[kind], result_.machine, type_),
            .best = 0,
            .operations = operations,
            .leastWords = 0,
            .words = {},
            .messages = {},
            .seconds = 0,
            .held = 0};
  }

  void addNode(std::size_t kind, int node) {
    const NodeCost &cost = cost_.nodes[node];
    ElementCost element = elementOf(kind, node, operations(cost));
    element.held = words(cost.ownedBytes + cost.temporaryBytes);
    if (updates_ && element.held > 0)
      element.leastWords = leastWordsOfOwner(element.operations, element.held);
    element.words = words(cost.transfers.bytes + cost.transfers.receivedBytes);
    element.messages = static_cast<double>(cost.transfers.messages + cost.transfers.received);
    result_.elements.push_back(element);
  }
  void addDevice(std::size_t kind, int node, const DeviceCost &cost) {
    ElementCost element = elementOf(kind, node, operations(cost));
    element.leastWords = updateWordsOf(element.operations, element.numbers.memory);
    element.words = words(cost.in.bytes + cost.out.bytes + cost.peer.bytes);
    element.messages = static_cast<double>(cost.in.copies + cost.out.copies + cost.peer.copies);
    result_.elements.push_back(element);
  }
  /// Adds the cores' part of input and output, which accelerators do not move, on each node its part.
  void addCores(int node) {
    double mine = operations(cost_.nodes[node]), moved = 0;
    for (const DeviceCost &device : cost_.nodes[node].devices)
      mine -= operations(device);
    for (const DeviceCost &device : cost_.total().devices)
      moved += words(device.in.bytes + device.out.bytes + device.peer.bytes);
    ElementCost element = elementOf(0, node, std::max(0.0, mine));
    element.leastWords = std::max(updateWordsOf(element.operations, element.numbers.memory),
                                  (result_.work.words - moved) / static_cast<double>(cost_.nodes.size()));
    result_.elements.push_back(element);
  }

  MachineCost finish(const Partition &best) {
    result_.bound = best.seconds;
    result_.seconds = 0;
    for (std::size_t i = 0; i < result_.elements.size(); ++i) {
      ElementCost &element = result_.elements[i];
      const double moved = element.words.value_or(element.leastWords);
      element.best = best.operations[i];
      element.seconds = secondsOf(element.numbers, element.operations, moved,
                                  element.messages.value_or(moved / element.numbers.memory));
      result_.seconds = std::max(result_.seconds, element.seconds);
    }
    return std::move(result_);
  }

  const Cost &cost_;
  const runtime::ElementType type_;
  const bool updates_;
  MachineCost result_{};
};

} // namespace

Element numbersFor(const ComputeElement &element, const MachineNumbers &machine, runtime::ElementType type) {
  const auto rate = element.rates.find(static_cast<char>(type));
  if (rate == element.rates.end())
    throw UsageError(format("--machine %s has no gflops.%c of %s: it says nothing of %s", machine.name.c_str(),
                            static_cast<char>(type), element.name.c_str(), typeName(type)));
  const auto word = static_cast<double>(elementBytes(type));
  return {.gamma = flopFactor(type) / rate->second,
          .beta = word / element.bandwidth,
          .alpha = element.latency,
          .memory = element.memory / word};
}

MachineCost costOn(const MachineNumbers &machine, const Problem &problem, const Cost &cost,
                   const CostOptions &options) {
  Comparison comparison(machine, problem, cost);
  return machine.shared ? comparison.ofElements(options) : comparison.ofNodes();
}

} // namespace tla::host
