#include <tla/generated/stages.hpp>

#include "runtime/core/passes/protocol.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/distribution/distribution.hpp"
#include "runtime/interfaces/validation.hpp"
#include "runtime/validation/instances.hpp"
#include "runtime/validation/small_calls.hpp"
#include "runtime/validation/survey.hpp"

#include <algorithm>
#include <set>

namespace tla::runtime {
namespace {

constexpr std::size_t mostInstances = 2'000'000; ///< the most instances in all trials
constexpr int mostNodes = 16;

/// All nodes' instances, by replay.
class Replayed final : public DryPass, private InstanceListener {
public:
  Replayed(const Distribution &distribution, const Protocol &protocol)
      : DryPass(&distribution), nodes(static_cast<std::size_t>(distribution.nodes())), instances_(protocol, *this) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = DryPass::table(storage, name, workspace, regions);
    instances_.add(table);
    return table;
  }
  void append(const TaskCall &call) override { instances_.append(call); }
  void release(const TileRef &tile) override {
    at(tile.matrix->node(tile.row, tile.column)).transfer(Instances::Release, tile);
  }

  std::vector<Instances> nodes;

private:
  Instances &at(int node) { return nodes[static_cast<std::size_t>(node)]; }
  void transfer(const TileRef &tile, int source, int destination, int) override {
    at(source).transfer(Instances::Send, tile, destination);
    at(destination).transfer(Instances::Receive, tile, source);
  }
  void task(int node, const TaskCall &call) override { at(node).task(call); }
  Protocol::Instances instances_;
};

/// One node's instances, by its loops; no more than `most`.
class Looped final : public DryPass {
public:
  Looped(const Distribution &distribution, int self, std::size_t most)
      : DryPass(&distribution), self_(self), most_(most) {}

  void append(const TaskCall &call) override {
    requireEnd();
    instances.task(call);
  }
  void release(const TileRef &tile) override {
    requireEnd();
    if (!tile.matrix->has(tile.row, tile.column) || tile.matrix->node(tile.row, tile.column) == self_)
      instances.transfer(Instances::Release, tile);
  }
  void send(const TileRef &tile, int destination, int) override {
    requireEnd();
    instances.transfer(Instances::Send, tile, destination);
  }
  void receive(const TileRef &tile, int source, int) override {
    requireEnd();
    instances.transfer(Instances::Receive, tile, source);
  }

  Instances instances;

private:
  void requireEnd() const {
    if (instances.size() > most_)
      throw Endless{};
  }
  const int self_;
  const std::size_t most_;
};

/// Adds nodes that own tiles of the largest calls, where the grid has more rows or columns than these have tiles.
void addOwners(const Distribution &distribution, std::set<int> &nodes) {
  if (std::max(distribution.rows(), distribution.columns()) <= mostTilesOfCalls)
    return;
  for (const int row : {0, 5, 16, mostTilesOfCalls - 1})
    for (const int column : {0, 5, 16, mostTilesOfCalls - 1})
      nodes.insert(distribution.node(row, column));
}

/// All, or the corners of the coordinates and others at equal distances.
std::vector<int> nodesToTry(const Distribution &distribution) {
  std::set<int> nodes;
  const int count = distribution.nodes();
  if (count > mostNodes) {
    const auto extreme = [&](auto key) {
      int best = 0;
      for (int node = 1; node < count; ++node)
        if (key(distribution.coordinates(node)) > key(distribution.coordinates(best)))
          best = node;
      nodes.insert(best);
    };
    for (const int x : {-1, 1})
      for (const int y : {-1, 1})
        extreme([&](Distribution::Coordinates at) { return x * at.x + y * at.y; });
  }
  const int step = std::max(1, (count + mostNodes - 1) / mostNodes);
  for (int node = 0; node < count; node += step)
    nodes.insert(node);
  addOwners(distribution, nodes);
  return {nodes.begin(), nodes.end()};
}

/// One call on one distribution.
class Trial {
public:
  Trial(const Algorithm &algorithm, const Distribution &distribution, const SmallCall &call)
      : algorithm_(algorithm), distribution_(distribution), call_(call), matrices_(algorithm, call) {}

  /// How many instances were looked at.
  std::size_t instances() const { return seen_; }

  /// Tries the nodes' loops, for a program in parts with each of some numbers of iterations: swaps bring back what
  /// names stand for after six at most.
  std::optional<std::string> run(const std::vector<int> &nodes) {
    if (!matrices_.exist())
      return std::nullopt;
    constexpr int mostIterations = 7;
    std::optional<std::string> difference;
    forEachStage(
        algorithm_, matrices_.arguments(),
        [&](const Arguments &part) {
          arguments_ = part;
          difference = runPart(nodes);
          return !difference;
        },
        mostIterations);
    return difference;
  }

private:
  std::optional<std::string> runPart(const std::vector<int> &nodes) {
    if (!Survey(distribution_).runs(algorithm_, arguments()))
      return std::nullopt;
    const std::vector<Instances> expected = replay();
    std::vector<Instances> actual(expected.size());
    for (const int node : nodes) {
      const Instances &own = expected[static_cast<std::size_t>(node)];
      Looped looped(distribution_, node, 2 * own.size() + 1000);
      try {
        Generator handle(looped);
        const Distribution::Coordinates at = distribution_.coordinates(node);
        algorithm_.generateNode(handle, arguments(), at.x, at.y);
      } catch (const Endless &) {
        return text(node) + "its loops do not end";
      }
      Instances &mine = actual[static_cast<std::size_t>(node)] = std::move(looped.instances);
      seen_ += own.size() + mine.size();
      const FirstDifference first = compare(mine, own);
      if (first.left < mine.size() || first.right < own.size())
        return text(node) + "its loops have " + textOf(mine, first.left) + ", the program has " +
               textOf(own, first.right);
    }
    return comparePairs(nodes, actual);
  }

  const Arguments &arguments() const { return arguments_; }
  std::string text(int node) const {
    return describe(algorithm_, call_) + ": node " + std::to_string(node) + " of " + distribution_.name() + ": ";
  }
  static std::string textOf(const Instances &instances, std::size_t index) {
    return index < instances.size() ? "'" + instances.text(index) + "'" : "nothing";
  }

  std::vector<Instances> replay() {
    Protocol protocol(distribution_);
    Protocol::LastWrites lastWrites(protocol);
    Generator first(lastWrites);
    algorithm_.generate(first, arguments());
    Replayed replayed(distribution_, protocol);
    Generator second(replayed);
    algorithm_.generate(second, arguments());
    return std::move(replayed.nodes);
  }

  /// Both ends of each pair number its messages.
  std::optional<std::string> comparePairs(const std::vector<int> &nodes, const std::vector<Instances> &actual) const {
    for (const int from : nodes)
      for (const int to : nodes) {
        const Instances &sender = actual[static_cast<std::size_t>(from)],
                        &receiver = actual[static_cast<std::size_t>(to)];
        const auto sent = sender.messages(Instances::Send, to), received = receiver.messages(Instances::Receive, from);
        for (std::size_t i = 0; i < std::max(sent.size(), received.size()); ++i)
          if (i >= sent.size() || i >= received.size() || !Instances::sameTile(sender[sent[i]], receiver[received[i]]))
            return text(from) + "message " + std::to_string(i) + " to node " + std::to_string(to) + " is " +
                   (i < sent.size() ? textOf(sender, sent[i]) : "missing") + " here and " +
                   (i < received.size() ? textOf(receiver, received[i]) : "missing") + " there";
      }
    return std::nullopt;
  }

  const Algorithm &algorithm_;
  const Distribution &distribution_;
  const SmallCall &call_;
  const SmallMatrices matrices_;
  Arguments arguments_{};
  std::size_t seen_ = 0;
};

} // namespace

std::optional<std::string> validateNodeLoops(const Algorithm &algorithm, const Distribution &distribution) {
  const std::vector<int> nodes = nodesToTry(distribution);
  std::size_t instances = 0;
  for (SmallCall &call : smallCalls(algorithm, std::max(distribution.rows(), distribution.columns()))) {
    call.values.period = distribution.period();
    Trial trial(algorithm, distribution, call);
    if (std::optional<std::string> difference = trial.run(nodes))
      return difference;
    instances += trial.instances();
    if (instances > mostInstances)
      break;
  }
  return std::nullopt;
}

} // namespace tla::runtime
