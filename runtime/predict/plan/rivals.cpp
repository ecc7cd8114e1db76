#include "runtime/predict/plan/rivals.hpp"

#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/rival_caches.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

namespace tla::host {
namespace {

constexpr std::size_t mostTasks = 3'000'000;
class Reader {
public:
  Reader(const runtime::VirtualHardware &machine, const Distribution &distribution, Work &work)
      : machine_(machine), distribution_(distribution), work_(work) {}

  void operator()(const runtime::TaskClass &taskClass, const runtime::TaskView &view,
                  const runtime::TileAccess *accesses, int count) {
    for (int i = 0; i < count; ++i)
      add(accesses[i]);
    work_.firstUse.push_back(work_.uses.size());
    work_.core.push_back(machine_.coreSeconds(taskClass, view));
    for (const runtime::VirtualDevice &device : machine_.devices) {
      const bool has = !device.has || device.has(taskClass);
      const runtime::KernelDemand demand = has ? device.kernel(taskClass, view) : runtime::KernelDemand{};
      work_.device.push_back(has ? demand.latency + demand.host + demand.work / demand.share : never);
    }
    work_.taskFlops.push_back(taskClass.flops ? taskClass.flops(view) : 0);
  }

private:
  void add(const runtime::TileAccess &access) {
    const std::uint32_t tile = tileOf(access);
    const bool reads = access.access != runtime::Access::Write, writes = access.access != runtime::Access::Read;
    for (std::size_t known = work_.firstUse.back(); known < work_.uses.size(); ++known)
      if (Work::Use &use = work_.uses[known]; use.tile == tile) { // two parts of one tile
        use.read |= reads;
        use.written |= writes;
        return;
      }
    work_.uses.push_back({tile, reads, writes});
  }

  std::uint32_t tileOf(const runtime::TileAccess &access) {
    const auto [entry, isNew] =
        tiles_.try_emplace({access.matrix, access.row, access.column}, static_cast<std::uint32_t>(work_.bytes.size()));
    if (isNew) {
      const Storage &storage = access.matrix->storage();
      work_.bytes.push_back(static_cast<double>(storage.tileRows(access.row)) * storage.tileCols(access.column) *
                            static_cast<double>(storage.elementBytes()));
      work_.isCallers.push_back(!access.matrix->workspace());
      work_.home.push_back(distribution_.node(access.row, access.column));
    }
    return entry->second;
  }

  const runtime::VirtualHardware &machine_;
  const Distribution &distribution_;
  Work &work_;
  std::map<std::tuple<const runtime::TileTable *, int, int>, std::uint32_t> tiles_;
};

/// Cores, and behind them the devices.
struct Unit {
  int node = 0, number = atHost, place = 0; ///< number: within the node
  double free = 0, busy = 0, flops = 0;
  std::uint64_t tasks = 0;
  bool isIdle = true;
};

class Simulation {
public:
  Simulation(const Work &work, const runtime::VirtualHardware &machine, int threads, Rival rival, int nodes,
             const runtime::MachineProfile::Network &network)
      : work_(work), rival_(rival), nodes_(nodes), devices_(static_cast<int>(machine.devices.size())),
        caches_(work, machine, nodes, network), waiting_(taskCount()), successors_(taskCount()) {
    for (int number = 0; number < threads; ++number) // cores of all nodes, then devices of all nodes
      for (int node = 0; node < nodes; ++node)
        units_.push_back({.node = node, .place = caches_.place(node, atHost)});
    for (int device = 1; device <= devices_; ++device)
      for (int node = 0; node < nodes; ++node)
        units_.push_back({.node = node, .number = device, .place = caches_.place(node, device)});
    for (std::uint32_t task = 0; task < taskCount(); ++task) {
      const std::size_t end =
          task + 1 < taskCount() ? work.graph.tasks[task + 1].firstPredecessor : work.graph.predecessors.size();
      for (std::size_t p = work.graph.tasks[task].firstPredecessor; p < end; ++p, ++waiting_[task])
        successors_[work.graph.predecessors[p]].push_back(task);
    }
  }

  std::vector<runtime::Statistics> run() {
    for (std::uint32_t task = 0; task < taskCount(); ++task)
      if (waiting_[task] == 0)
        becomeReady(task);
    startIdle();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      if (!event.isHome) { // ways are taken when it is time, or they would be closed to what comes before
        Unit &unit = units_[event.unit];
        unit.free = caches_.writeThrough(event.task, now_);
        events_.push({unit.free, number_++, event.task, event.unit, /*isHome=*/true});
        continue;
      }
      last_ = std::max(last_, now_);
      units_[event.unit].isIdle = true;
      for (const std::uint32_t next : successors_[event.task])
        if (--waiting_[next] == 0)
          becomeReady(next);
      startIdle();
    }
    return statistics(caches_.flush(last_));
  }

private:
  struct Event {
    double time;
    std::uint64_t number;
    std::uint32_t task; ///< is complete
    int unit;           ///< unit that did it
    bool isHome;        ///< nothing is left to be written through
    bool operator<(const Event &other) const {
      return std::tie(time, number) > std::tie(other.time, other.number); // the earliest on top
    }
  };

  std::size_t taskCount() const { return work_.core.size(); }
  double secondsOf(std::uint32_t task, const Unit &unit) const {
    return unit.number == atHost ? work_.core[task] : work_.device[std::size_t(task) * devices_ + unit.number - 1];
  }

  void becomeReady(std::uint32_t task) {
    if (rival_ != Rival::EarliestFinish)
      return ready_.push_back(task);
    int best = -1;
    double end = never;
    std::vector<bool> seenCore(nodes_);
    for (const int number : byFree()) {
      const Unit &unit = units_[number];
      if (unit.number == atHost && seenCore[unit.node])
        continue; // another one is free before
      seenCore[unit.node] = seenCore[unit.node] || unit.number == atHost;
      const double seconds = secondsOf(task, unit);
      if (seconds == never)
        continue;
      const double begin = std::max(unit.free, caches_.fetch(task, unit.place, now_, /*commit=*/false));
      if (begin + seconds < end) {
        end = begin + seconds;
        best = number;
      }
    }
    execute(task, best);
  }

  /// Units by when they are free.
  std::vector<int> byFree() const {
    std::vector<int> order(units_.size());
    for (std::size_t unit = 0; unit < order.size(); ++unit)
      order[unit] = static_cast<int>(unit);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return units_[a].free < units_[b].free; });
    return order;
  }

  /// Gives each free unit the first task that it can do; devices before cores, which have more tasks.
  void startIdle() {
    for (int unit = static_cast<int>(units_.size()) - 1; unit >= 0 && !ready_.empty(); --unit) {
      if (!units_[unit].isIdle)
        continue;
      const auto task = std::ranges::find_if(
          ready_, [&](std::uint32_t candidate) { return secondsOf(candidate, units_[unit]) != never; });
      if (task == ready_.end())
        continue;
      const std::uint32_t taken = *task;
      ready_.erase(task);
      execute(taken, unit);
    }
  }

  void execute(std::uint32_t task, int number) {
    Unit &unit = units_[number];
    const double begin = std::max(unit.free, caches_.fetch(task, unit.place, now_, /*commit=*/true));
    const double seconds = secondsOf(task, unit), end = begin + seconds;
    caches_.write(task, unit.place, end);
    unit.free = end;
    unit.busy += seconds;
    unit.flops += work_.taskFlops[task];
    ++unit.tasks;
    unit.isIdle = false;
    events_.push({end, number_++, task, number, rival_ != Rival::WriteThrough});
  }

  std::vector<runtime::Statistics> statistics(double seconds) const {
    std::vector<runtime::Statistics> nodes(nodes_);
    for (const Unit &unit : units_) {
      runtime::Statistics &node = nodes[unit.node];
      node.seconds = seconds;
      node.tasks += unit.tasks;
      node.flops += unit.flops;
      if (unit.number == atHost) {
        node.busy.push_back(unit.busy);
        continue;
      }
      runtime::DeviceStatistics device;
      static_cast<runtime::DeviceCounts &>(device) = caches_.counts(unit.place);
      device.tasks = device.launches = unit.tasks;
      device.busy = unit.busy;
      node.devices.push_back(device);
    }
    for (int node = 0; node < nodes_; ++node)
      nodes[node].transfers = caches_.transfers(node);
    return nodes;
  }

  const Work &work_;
  const Rival rival_;
  const int nodes_, devices_;
  Caches caches_;
  std::vector<Unit> units_;
  std::vector<int> waiting_; // by task: predecessors that have not ended
  std::vector<std::vector<std::uint32_t>> successors_;
  std::deque<std::uint32_t> ready_;
  std::priority_queue<Event> events_;
  std::uint64_t number_ = 0;
  double now_ = 0, last_ = 0;
};

} // namespace

const char *rivalName(Rival rival) {
  return rival == Rival::WriteThrough ? "write-through" : rival == Rival::WriteBack ? "write-back" : "dmda";
}

std::optional<Rival> rivalNamed(const std::string &name) {
  for (const Rival rival : {Rival::WriteThrough, Rival::WriteBack, Rival::EarliestFinish})
    if (name == rivalName(rival))
      return rival;
  return std::nullopt;
}

std::vector<runtime::Statistics> runAsRival(const VirtualRunRequest &request, Rival rival,
                                            const Distribution &distribution,
                                            const runtime::MachineProfile::Network &network) {
  const std::string name = std::string("--policy ") + rivalName(rival) + ": ";
  if (request.algorithm.slices() > 1)
    throw UsageError(name + "its tiles are whole; compile " + request.algorithm.name + " without --split");
  if (request.algorithm.isDealt())
    throw UsageError(name + "leave out --tasks: the policy says who computes what");
  if (distribution.copies() > 1)
    throw UsageError(name + "leave out copies of the nodes: each tile is at home on one");
  if (!network.platform.empty())
    throw UsageError(name +
                     "its nodes have ports, and no platform of SimGrid; give a profile with portGBs and latencyUs");
  const DryCall call(request.algorithm, request.values, request.scalars, request.nb, request.cut, 0);
  Work work;
  Reader reader(request.machine, distribution, work);
  work.graph = runtime::recordTasks(request.algorithm, call.arguments(), mostTasks, nullptr, {},
                                    [&](const auto &taskClass, const auto &view, const auto *accesses, int count) {
                                      reader(taskClass, view, accesses, count);
                                    });
  return Simulation(work, request.machine, request.threads, rival, distribution.nodes(), network).run();
}

} // namespace tla::host
