// The argument in courier.hpp that no run of the protocol can get stuck, tried out: all orders in which the instances
// of small programs can be appended and completed, on all nodes, with windows of a few places; with every message from
// its origin, and with every one that can be forwarded by another of its receivers.
#include "runtime/core/passes/protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <unordered_set>

using namespace tla;
using namespace tla::runtime;

namespace {

/// An instance as its node's window sees it.
struct Instance {
  enum Kind { Task, Send, Receive } kind;
  std::vector<std::pair<int, bool>> tiles; ///< tile, written
  int peer = -1, ordinal = 0;              ///< the other node, and the number, of a transfer
  /// The number, on the same node, of the send whose receiver forwards this one. -1: it goes from here.
  int relay = -1;
};
using Instances = std::vector<std::vector<Instance>>; // by node, in program order

/// The instances of every node, in program order.
class Lists final : public InstanceListener {
public:
  explicit Lists(int nodes) : instances(nodes), sent_(nodes, std::vector<int>(nodes)) {}
  void transfer(const TileRef &tile, int source, int destination, int) override {
    const int ordinal = sent_[source][destination]++;
    instances[source].push_back({Instance::Send, {{tileOf(tile.row, tile.column), false}}, destination, ordinal});
    instances[destination].push_back({Instance::Receive, {{tileOf(tile.row, tile.column), true}}, source, ordinal});
  }
  void task(int node, const TaskCall &call) override {
    Instance instance{Instance::Task, {}};
    for (int i = 0; i < call.accessCount; ++i)
      instance.tiles.emplace_back(tileOf(call.accesses[i].row, call.accesses[i].column),
                                  call.accesses[i].access != Access::Read);
    instances[node].push_back(instance);
  }

  Instances instances;

private:
  static int tileOf(int row, int column) { return 16 * row + column; }
  std::vector<std::vector<int>> sent_;
};

/// All states that a run can come to. A node's part of a state: how many instances it has appended, which are complete.
class Explorer {
public:
  Explorer(const Instances &instances, std::size_t window) : instances_(instances), window_(window) {}

  /// False when some state is not the end and has no successor.
  bool alwaysEnds() {
    State start(instances_.size());
    return visit(start);
  }
  std::size_t states() const { return seen_.size(); }

private:
  struct Node {
    std::size_t appended = 0;
    std::uint64_t complete = 0;
    bool operator==(const Node &) const = default;
  };
  using State = std::vector<Node>;
  struct Hash {
    std::size_t operator()(const State &state) const {
      std::size_t hash = 0;
      for (const Node &node : state)
        hash = (hash * 31 + node.appended) * 0x9e3779b97f4a7c15u + node.complete;
      return hash;
    }
  };

  bool visit(const State &state) {
    if (!seen_.insert(state).second)
      return true;
    bool ended = true, moved = false, good = true;
    const auto go = [&](const State &next) {
      moved = true;
      good = good && visit(next);
    };
    for (std::size_t n = 0; n < state.size(); ++n) {
      ended &= std::popcount(state[n].complete) == static_cast<int>(instances_[n].size());
      if (canAppend(state, n)) {
        State next = state;
        ++next[n].appended;
        go(next);
      }
      for (std::size_t i = 0; i < state[n].appended; ++i)
        if (isReady(state, n, i))
          completions(state, n, i, go);
    }
    return good && (ended || moved);
  }

  bool canAppend(const State &state, std::size_t n) const {
    return state[n].appended < instances_[n].size() && state[n].appended - std::popcount(state[n].complete) < window_;
  }
  /// Appended, not complete, and all earlier instances on its tiles that it must wait for are complete.
  bool isReady(const State &state, std::size_t n, std::size_t i) const {
    if (i >= state[n].appended || state[n].complete >> i & 1)
      return false;
    for (std::size_t before = 0; before < i; ++before)
      if (!(state[n].complete >> before & 1) && conflict(instances_[n][before], instances_[n][i]))
        return false;
    return true;
  }
  static bool conflict(const Instance &a, const Instance &b) {
    for (const auto &[tileA, writesA] : a.tiles)
      for (const auto &[tileB, writesB] : b.tiles)
        if (tileA == tileB && (writesA || writesB))
          return true;
    return false;
  }
  /// A task completes by itself; a send together with its receive, once both are ready and the content is there: with
  /// the sender, or with the one that forwards it.
  template <typename Go> void completions(const State &state, std::size_t n, std::size_t i, Go &go) const {
    const Instance &instance = instances_[n][i];
    State next = state;
    next[n].complete |= std::uint64_t(1) << i;
    if (instance.kind == Instance::Task)
      return go(next);
    if (instance.kind == Instance::Receive)
      return; // comes with its send
    if (instance.relay >= 0 && !(state[n].complete >> instance.relay & 1))
      return;
    const auto &others = instances_[instance.peer];
    for (std::size_t j = 0; j < others.size(); ++j)
      if (others[j].kind == Instance::Receive && others[j].peer == static_cast<int>(n) &&
          others[j].ordinal == instance.ordinal && isReady(state, instance.peer, j)) {
        next[instance.peer].complete |= std::uint64_t(1) << j;
        return go(next);
      }
  }

  const Instances &instances_;
  const std::size_t window_;
  std::unordered_set<State, Hash> seen_;
};

const TaskClass taskClass{"task", "", [](const TaskView &) { return 0; }, nullptr};

/// The instances of a random program of `tasks` tasks over a few tiles.
Instances randomInstances(unsigned seed, int nodes, int tasks) {
  std::mt19937 random(seed);
  const auto upTo = [&](int n) { return static_cast<int>(random() % n); };
  struct Use {
    int row, column;
    Access access;
  };
  std::vector<std::vector<Use>> program(tasks);
  for (auto &task : program)
    for (int i = 1 + upTo(3); i > 0; --i)
      task.push_back({upTo(2), upTo(2), static_cast<Access>(upTo(3))});
  std::vector<int> table{0, 1, nodes - 1, upTo(nodes)};
  const Distribution distribution = Distribution::table(2, 2, table, "random");

  Storage storage(4, 4, 2, 2, sizeof(double), Shape::General);
  Protocol protocol(distribution);
  const auto generate = [&](TileTable &A, auto &&append) {
    for (const auto &task : program) {
      std::vector<TileAccess> accesses;
      for (const Use &use : task)
        accesses.push_back({&A, use.row, use.column, use.access});
      append(accesses);
    }
  };
  Protocol::LastWrites last(protocol);
  generate(last.table(storage, "A", false, false), [&](const std::vector<TileAccess> &accesses) {
    last.append({taskClass, 0, nullptr, 0, accesses.data(), static_cast<int>(accesses.size())});
  });
  Lists lists(nodes);
  Protocol::Instances instances(protocol, lists);
  DryTables tables(&distribution);
  TileTable &A = tables.table(storage, "A", false, false);
  instances.add(A);
  generate(A, [&](const std::vector<TileAccess> &accesses) {
    instances.append({taskClass, 0, nullptr, 0, accesses.data(), static_cast<int>(accesses.size())});
  });
  return lists.instances;
}

/// Every send but the first of a version is left to the receiver of another send of that version: the one before it in
/// program order, or behind it. Couriers do so with some; here all wait for more, so that what always ends does so
/// there.
int delegate(Instances &instances, bool toEarlier) {
  int delegated = 0;
  for (std::vector<Instance> &node : instances)
    for (int i = 0, count = static_cast<int>(node.size()); i < count; ++i)
      for (int j = i + 1; node[i].kind == Instance::Send && j < count; ++j) {
        const bool same = node[j].tiles.front().first == node[i].tiles.front().first;
        if (node[j].kind == Instance::Send && same) {
          (toEarlier ? node[j].relay : node[i].relay) = toEarlier ? i : j;
          ++delegated;
          break;
        }
        if (std::find(node[j].tiles.begin(), node[j].tiles.end(), std::pair(node[i].tiles.front().first, true)) !=
            node[j].tiles.end())
          break; // the next version
      }
  return delegated;
}

TEST(ProtocolModel, NoOrderOfEventsGetsStuck) {
  std::size_t states = 0;
  int delegated = 0;
  for (unsigned seed = 0; seed < 300; ++seed)
    for (const int nodes : {2, 3, 4}) {
      auto instances = randomInstances(seed, nodes, nodes == 4 ? 9 : 5);
      if (nodes == 4)
        delegated += delegate(instances, true);
      for (const std::size_t window : {1, 2, 3}) {
        Explorer explorer(instances, window);
        ASSERT_TRUE(explorer.alwaysEnds()) << "seed " << seed << " nodes " << nodes << " window " << window;
        states += explorer.states();
      }
    }
  EXPECT_GT(states, 100000u);
  EXPECT_GT(delegated, 100);
}

/// Parents stand behind their children in program order here.
TEST(ProtocolModel, ForwardingByLaterReceiversCanGetStuck) {
  int stuck = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    auto instances = randomInstances(seed, 3, 5);
    delegate(instances, false);
    stuck += !Explorer(instances, 1).alwaysEnds();
  }
  EXPECT_GT(stuck, 0);
}

/// The argument rests on this: with sends at the place of the producer instead of the reader, windows fill up with
/// messages that nobody wants yet.
TEST(ProtocolModel, SendsAtTheProducersPlaceCanGetStuck) {
  const auto task = [](int tile) { return Instance{Instance::Task, {{tile, true}}}; };
  const auto send = [](int tile, int ordinal) { return Instance{Instance::Send, {{tile, false}}, 1, ordinal}; };
  const auto receive = [](int tile, int ordinal) { return Instance{Instance::Receive, {{tile, true}}, 0, ordinal}; };
  const Instances instances = {{task(0), send(0, 0), task(1), send(1, 1)},
                               {receive(1, 1), task(1), receive(0, 0), task(0)}};
  EXPECT_FALSE(Explorer(instances, 1).alwaysEnds());
  EXPECT_TRUE(Explorer(instances, 4).alwaysEnds());
}
} // namespace
