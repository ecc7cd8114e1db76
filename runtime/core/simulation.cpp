#include <tla/runtime/simulation.hpp>

#include "runtime/core/tile_table.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <memory>
#include <queue>
#include <unordered_map>

namespace tla::runtime {

namespace {

/// Who last wrote a tile (or one region of it), and who has read it since.
struct TileHistory {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t writer = none;
  std::vector<std::uint32_t> readers;
};

/// Takes a program's tasks without running them.
class Onlooker : public TaskSink {
public:
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    for (const auto &known : matrices_)
      if (&known->table.storage() == &storage) // two parameters, one matrix
        return known->table;
    matrices_.push_back(std::make_unique<Matrix>(storage, name, workspace, regions));
    return matrices_.back()->table;
  }
  void keep(const StorageRef &storage) override { kept_.push_back(storage); }
  void setParameters(const void *) override {}
  bool stopped() const override { return false; }
  void release(TileTable &, int, int, Region) override {}
  void send(TileTable &, int, int, Region, int) override {}
  void receive(TileTable &, int, int, Region, int) override {}

protected:
  ~Onlooker() = default;
  struct Matrix {
    Matrix(Storage &storage, const char *name, bool workspace, bool regions)
        : table(storage, name, workspace, regions) {}
    TileTable table;
    std::vector<TileHistory> tiles; // two per tile, once a task names one
  };
  std::vector<std::unique_ptr<Matrix>> matrices_;

private:
  std::vector<StorageRef> kept_;
};

/// Ten nanoseconds a task: so much does it cost to learn that a program is too long to be recorded.
class Counter final : public Onlooker {
public:
  explicit Counter(std::size_t limit) : limit_(limit) {}
  void append(const TaskClass &, int, const int *, int, const TileAccess *, int) override {
    if (tasks_++ == limit_)
      throw Error("the program has more than " + std::to_string(limit_) + " tasks");
  }
  std::size_t tasks() const { return tasks_; }

private:
  const std::size_t limit_;
  std::size_t tasks_ = 0;
};

class Recorder final : public Onlooker {
public:
  explicit Recorder(TaskGraph &graph) : graph_(graph) {}

  void append(const TaskClass &taskClass, int priority, const int *, int, const TileAccess *accesses,
              int count) override {
    const auto task = static_cast<std::uint32_t>(graph_.tasks.size());
    const auto first = static_cast<std::uint32_t>(graph_.predecessors.size());
    graph_.tasks.push_back({classIndex(taskClass), priority, count, first});
    for (int i = 0; i < count; ++i)
      for (int half = 0; half < 2; ++half)
        if (accesses[i].region == Region::Full || int(accesses[i].region) - 1 == half)
          visit(history(accesses[i], half), accesses[i].access, task);
    auto &list = graph_.predecessors;
    std::sort(list.begin() + first, list.end());
    list.erase(std::unique(list.begin() + first, list.end()), list.end());
  }

private:
  TileHistory &history(const TileAccess &access, int half) {
    Matrix &matrix = **std::find_if(matrices_.rbegin(), matrices_.rend(),
                                    [&](const auto &known) { return &known->table == access.matrix; });
    const Storage &storage = matrix.table.storage();
    if (!matrix.table.has(access.row, access.column))
      throw Error(matrix.table.outsideText(access.row, access.column));
    if (!storage.stores(access.row, access.column))
      throw Error("the matrix does not store tile " + matrix.table.tileName(access.row, access.column));
    const auto rows = static_cast<std::size_t>(storage.mt());
    if (matrix.tiles.empty())
      matrix.tiles.resize(2 * rows * storage.nt());
    return matrix.tiles[2 * (access.row + access.column * rows) + half];
  }

  void visit(TileHistory &tile, Access access, std::uint32_t task) {
    const auto wait = [&](std::uint32_t other) {
      if (other != TileHistory::none && other != task)
        graph_.predecessors.push_back(other);
    };
    wait(tile.writer);
    if (access == Access::Read) {
      tile.readers.push_back(task);
      return;
    }
    std::for_each(tile.readers.begin(), tile.readers.end(), wait);
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

} // namespace

TaskGraph recordTasks(const Algorithm &algorithm, const Arguments &arguments, std::size_t limit) {
  Counter counter(limit);
  Generator counting(counter);
  algorithm.generate(counting, arguments);
  TaskGraph graph;
  graph.tasks.reserve(counter.tasks());
  Recorder recorder(graph);
  Generator recording(recorder);
  algorithm.generate(recording, arguments);
  return graph;
}

double simulate(const TaskGraph &graph, const std::function<double(const TaskGraph::Node &)> &seconds, int workers) {
  const Successors successors(graph);
  std::vector<std::uint32_t> waiting(graph.tasks.size());
  using Ready = std::pair<int, std::int64_t>; // priority, minus the place in the program
  std::priority_queue<Ready> ready;
  using Finish = std::pair<double, std::uint32_t>;
  std::priority_queue<Finish, std::vector<Finish>, std::greater<>> running;
  for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
    waiting[task] = Successors::end(graph, task) - graph.tasks[task].firstPredecessor;
    if (!waiting[task])
      ready.emplace(graph.tasks[task].priority, -std::int64_t(task));
  }
  double now = 0;
  for (int idle = workers; !ready.empty() || !running.empty();) {
    for (; idle > 0 && !ready.empty(); --idle) {
      const auto task = static_cast<std::uint32_t>(-ready.top().second);
      ready.pop();
      running.emplace(now + seconds(graph.tasks[task]), task);
    }
    const auto [end, done] = running.top();
    running.pop();
    now = end;
    ++idle;
    successors.forEach(done, [&](std::uint32_t task) {
      if (--waiting[task] == 0)
        ready.emplace(graph.tasks[task].priority, -std::int64_t(task));
    });
  }
  return now;
}

} // namespace tla::runtime
