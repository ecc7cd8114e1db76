#include "runtime/interfaces/simulation.hpp"

#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/passes/protocol.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/halves.hpp"
#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <memory>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tla::runtime {

namespace {

/// Who last wrote a tile (or one region of it), and who has read it since.
struct TileHistory {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t writer = none;
  std::vector<std::uint32_t> readers;
};

/// Ten nanoseconds a task: so much does it cost to learn that a program is too long to be recorded.
class Counter final : public DryPass {
public:
  explicit Counter(std::size_t limit) : limit_(limit) {}
  void append(const TaskCall &) override {
    if (tasks_++ == limit_)
      throw Error("the program has more than " + std::to_string(limit_) + " tasks");
  }
  std::size_t tasks() const { return tasks_; }

private:
  const std::size_t limit_;
  std::size_t tasks_ = 0;
};

class Recorder final : public DryPass {
public:
  Recorder(TaskGraph &graph, const Distribution *distribution, const PlacesOfNodes &places, const SeeTask &see)
      : DryPass(distribution), graph_(graph), places_(places), see_(see) {}

  void setParameters(const void *parameters) override { shapes_.setParameters(parameters); }

  void append(const TaskCall &call) override {
    const auto task = static_cast<std::uint32_t>(graph_.tasks.size());
    const auto first = static_cast<std::uint32_t>(graph_.predecessors.size());
    const TileAccess *const main = mainAccess(call.taskClass, call.accesses, call.accessCount);
    graph_.tasks.push_back({classIndex(call.taskClass), call.priority, call.accessCount, placeOf(call), first,
                            main ? main->matrix->sliceNumber(main->column) : -1, flopsOf(call)});
    for (int i = 0; i < call.accessCount; ++i)
      for (int half = 0; half < 2; ++half)
        if (const TileAccess &access = call.accesses[i];
            access.region == Region::Full || int(access.region) - 1 == half)
          visit(history(access, half), access.access, task);
    if (see_)
      see_(call.taskClass, shapes_.view(call), call.accesses, call.accessCount);
    auto &list = graph_.predecessors;
    std::sort(list.begin() + first, list.end());
    list.erase(std::unique(list.begin() + first, list.end()), list.end());
  }

private:
  /// A task with a tile that its matrix does not have is refused below, before anybody asks for sizes.
  double flopsOf(const TaskCall &call) {
    return std::all_of(call.accesses, call.accesses + call.accessCount, exists) ? shapes_.of(call) : 0;
  }

  int placeOf(const TaskCall &call) const {
    const int node = nodeOf(call.taskClass, call.accesses, call.accessCount);
    return places_.count == 1
               ? node
               : node * places_.count + places_.place(node, call.taskClass, call.accesses, call.accessCount);
  }

  TileHistory &history(const TileAccess &access, int half) {
    const TileTable &table = *access.matrix;
    if (!table.has(access.row, access.column))
      throw Error(table.outsideText(access.row, access.column));
    if (!table.stores(access.row, access.column))
      throw Error("the matrix does not store tile " + table.tileName(access.row, access.column));
    const auto number = static_cast<std::size_t>(table.number());
    if (number >= tiles_.size())
      tiles_.resize(number + 1);
    if (tiles_[number].empty())
      tiles_[number].resize(Halves::count(table));
    return tiles_[number][Halves::index(access.tile(), half)];
  }

  void visit(TileHistory &tile, Access access, std::uint32_t task) {
    const auto wait = [&](std::uint32_t other, bool forContent) {
      if (other != TileHistory::none && other != task &&
          (forContent || graph_.tasks[other].node == graph_.tasks[task].node))
        graph_.predecessors.push_back(other);
    };
    wait(tile.writer, access != Access::Write);
    if (access == Access::Read) {
      tile.readers.push_back(task);
      return;
    }
    for (const std::uint32_t reader : tile.readers)
      wait(reader, false);
    tile.readers.clear();
    tile.writer = task;
  }

  std::uint32_t classIndex(const TaskClass &taskClass) {
    const auto [entry, added] = classes_.emplace(&taskClass, static_cast<std::uint32_t>(graph_.classes.size()));
    if (added)
      graph_.classes.push_back(&taskClass);
    return entry->second;
  }

  TaskGraph &graph_;
  const PlacesOfNodes &places_;
  const SeeTask &see_;
  std::vector<std::vector<TileHistory>> tiles_; // by matrix; two per tile, once a task names one
  FlopCount shapes_;
  std::unordered_map<const TaskClass *, std::uint32_t> classes_;
};

/// Tasks that wait, per task that they wait for.
class Successors {
public:
  explicit Successors(const TaskGraph &graph) : begin_(graph.tasks.size() + 1), list_(graph.predecessors.size()) {
    for (const std::uint32_t task : graph.predecessors)
      ++begin_[task + 1];
    for (std::size_t task = 1; task < begin_.size(); ++task)
      begin_[task] += begin_[task - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t task = 0; task < graph.tasks.size(); ++task)
      for (std::uint32_t p = graph.tasks[task].firstPredecessor; p < end(graph, task); ++p)
        list_[next[graph.predecessors[p]]++] = task;
  }
  template <typename Visit> void forEach(std::uint32_t task, Visit &&visit) const {
    for (std::uint32_t s = begin_[task]; s < begin_[task + 1]; ++s)
      visit(list_[s]);
  }
  static std::uint32_t end(const TaskGraph &graph, std::uint32_t task) {
    return task + 1 < graph.tasks.size() ? graph.tasks[task + 1].firstPredecessor
                                         : static_cast<std::uint32_t>(graph.predecessors.size());
  }

private:
  std::vector<std::uint32_t> begin_, list_;
};

class Simulation {
public:
  Simulation(const TaskGraph &graph, const std::function<double(const TaskGraph::Node &)> &seconds,
             const Cluster &cluster, const Help &help)
      : graph_(graph), seconds_(seconds), cluster_(cluster), help_(help), successors_(graph),
        waiting_(graph.tasks.size()), ready_(cluster.nodes * cluster.places), idle_(ready_.size(), 1),
        helping_(ready_.size(), 0), toldBy_(ready_.size(), TileHistory::none) {
    for (int node = 0; node < cluster.nodes; ++node)
      idle_[node * cluster.places] = cluster.workers;
  }

  double run() {
    for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
      waiting_[task] = Successors::end(graph_, task) - graph_.tasks[task].firstPredecessor;
      if (!waiting_[task])
        makeReady(task);
    }
    for (int node = 0; node < static_cast<int>(ready_.size()); ++node)
      start(node);
    while (!events_.empty()) {
      const auto [time, task, node] = events_.top();
      events_.pop();
      now_ = time;
      if (node == nodeOf(task)) {
        ++idle_[node];
        if (const auto helpers = helpers_.find(task); helpers != helpers_.end()) {
          helping_[node] -= helpers->second;
          helpers_.erase(helpers);
        }
        send(task);
      }
      reach(task, node);
      start(node);
    }
    return now_;
  }

private:
  using Ready = std::pair<int, std::int64_t>;           // priority, minus the place in the program
  using Event = std::tuple<double, std::uint32_t, int>; // what a task has written is there, on its node or another one

  int nodeOf(std::uint32_t task) const { return graph_.tasks[task].node; }
  void makeReady(std::uint32_t task) { ready_[nodeOf(task)].emplace(graph_.tasks[task].priority, -std::int64_t(task)); }
  void start(int node) {
    for (std::priority_queue<Ready> &ready = ready_[node]; idle_[node] > 0 && !ready.empty(); --idle_[node]) {
      const auto task = static_cast<std::uint32_t>(-ready.top().second);
      ready.pop();
      const double seconds = seconds_(graph_.tasks[task]);
      if (help_ && idle_[node] > 1)
        helped_.emplace_back(seconds, task);
      else
        events_.emplace(now_ + seconds, task, node);
    }
    if (helped_.empty())
      return;
    const int idle = (idle_[node] - helping_[node]) / static_cast<int>(helped_.size()); // for each of them
    for (const auto &[seconds, task] : helped_) { // when it is known who has nothing to do
      const int helpers = std::max(0, idle);
      events_.emplace(now_ + (helpers > 0 ? seconds / help_(graph_.tasks[task], helpers) : seconds), task, node);
      helpers_[task] = helpers;
      helping_[node] += helpers;
    }
    helped_.clear();
  }
  void send(std::uint32_t done) {
    successors_.forEach(done, [&](std::uint32_t task) {
      const int node = nodeOf(task);
      if (node != nodeOf(done) && std::exchange(toldBy_[node], done) != done)
        events_.emplace(now_ + wayTo(node, nodeOf(done)), done, node);
    });
  }
  double wayTo(int place, int other) const {
    return place / cluster_.places == other / cluster_.places ? cluster_.copySeconds : cluster_.messageSeconds;
  }
  void reach(std::uint32_t done, int node) {
    successors_.forEach(done, [&](std::uint32_t task) {
      if (nodeOf(task) == node && --waiting_[task] == 0)
        makeReady(task);
    });
  }

  const TaskGraph &graph_;
  const std::function<double(const TaskGraph::Node &)> &seconds_;
  const Cluster cluster_;
  const Help &help_;
  const Successors successors_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::priority_queue<Ready>> ready_; // by node, or place
  std::vector<int> idle_;
  std::vector<std::pair<double, std::uint32_t>> helped_; // that begin now: seconds, task
  std::unordered_map<std::uint32_t, int> helpers_;       // of tasks that have begun with help
  std::vector<int> helping_;                             // by node
  std::vector<std::uint32_t> toldBy_;                    // by node: the last task whose output was sent there
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_ = 0;
};

} // namespace

std::optional<std::size_t> countTasks(const Algorithm &algorithm, const Arguments &arguments, std::size_t limit) {
  struct TooMany {};
  struct Bounded final : DryPass {
    explicit Bounded(std::size_t most) : limit(most) {}
    void append(const TaskCall &) override {
      if (tasks++ == limit)
        throw TooMany{};
    }
    const std::size_t limit;
    std::size_t tasks = 0;
  };
  Bounded counter(limit);
  Generator counting(counter);
  try {
    algorithm.generate(counting, arguments);
  } catch (const TooMany &) {
    return std::nullopt;
  }
  return counter.tasks;
}

TaskGraph recordTasks(const Algorithm &algorithm, const Arguments &arguments, std::size_t limit,
                      const Distribution *distribution, const PlacesOfNodes &places, const SeeTask &see) {
  Counter counter(limit);
  Generator counting(counter);
  algorithm.generate(counting, arguments);
  TaskGraph graph;
  graph.tasks.reserve(counter.tasks());
  Recorder recorder(graph, distribution, places, see);
  Generator recording(recorder);
  algorithm.generate(recording, arguments);
  return graph;
}

double simulate(const TaskGraph &graph, const std::function<double(const TaskGraph::Node &)> &seconds,
                const Cluster &cluster, const Help &help) {
  return Simulation(graph, seconds, cluster, help).run();
}

} // namespace tla::runtime
