#include "runtime/host/plan/rivals.hpp"

#include "runtime/core/tile_table.hpp"
#include "runtime/host/plan/cost_choice.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/simulation.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

namespace tla::host {
namespace {

constexpr std::size_t mostTasks = 3'000'000;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr int atHost = 0; // places: the host, then the devices

/// What the tasks name and how long they take, beside the graph that says what they wait for.
struct Work {
  struct Use {
    std::uint32_t tile;
    bool read, written;
  };
  runtime::TaskGraph graph;
  std::vector<std::size_t> firstUse = {0}; ///< of each task, and where the last one's end
  std::vector<Use> uses;
  std::vector<double> core;    ///< seconds, by task
  std::vector<double> device;  ///< by task and device; `never` without a body
  std::vector<double> bytes;   ///< by tile
  std::vector<bool> isCallers; ///< by tile: it comes home
  double flops = 0;
};

class Reader {
public:
  Reader(const runtime::VirtualHardware &machine, Work &work) : machine_(machine), work_(work) {}

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
    work_.flops += taskClass.flops ? taskClass.flops(view) : 0;
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
    }
    return entry->second;
  }

  const runtime::VirtualHardware &machine_;
  Work &work_;
  std::map<std::tuple<const runtime::TileTable *, int, int>, std::uint32_t> tiles_;
};

/// A way that copies take one after the other.
struct Engine {
  double free = 0;
};

/// Where tiles are, and how they get elsewhere.
class Caches {
public:
  Caches(const Work &work, const runtime::VirtualHardware &machine)
      : work_(work), machine_(machine), places_(1 + machine.devices.size()), valid_(work.bytes.size() * places_, never),
        in_(places_), out_(places_), counts_(machine.devices.size()) {
    for (std::size_t tile = 0; tile < work.bytes.size(); ++tile)
      at(tile, atHost) = 0;
  }

  /// When the place has what the task reads, if that is begun now. With `commit` it is begun.
  double fetch(std::uint32_t task, int place, double now, bool commit) {
    const State before = commit ? State{} : State{busIn_, busOut_, in_, out_};
    double there = now;
    undo_.clear();
    keepsUndo_ = !commit;
    for (std::size_t use = work_.firstUse[task]; use < work_.firstUse[task + 1]; ++use)
      if (work_.uses[use].read)
        there = std::max(there, bring(work_.uses[use].tile, place, now));
    if (!commit) {
      for (auto entry = undo_.rbegin(); entry != undo_.rend(); ++entry)
        valid_[entry->first] = entry->second;
      std::tie(busIn_, busOut_, in_, out_) = std::tie(before.busIn, before.busOut, before.in, before.out);
    }
    return there;
  }

  /// The task has run at the place until `end`: all other copies of what it wrote are old.
  void write(std::uint32_t task, int place, double end) {
    forEachWritten(task, [&](std::uint32_t tile) {
      for (int other = 0; other < places_; ++other)
        at(tile, other) = other == place ? end : never;
    });
  }

  /// When all that the task wrote has been brought to the host.
  double writeThrough(std::uint32_t task, double end) {
    double there = end;
    forEachWritten(task, [&](std::uint32_t tile) { there = std::max(there, bring(tile, atHost, end)); });
    return there;
  }

  /// When everything of the caller's is at the host.
  double flush(double now) {
    double end = now;
    for (std::uint32_t tile = 0; tile < work_.bytes.size(); ++tile)
      if (work_.isCallers[tile])
        end = std::max(end, bring(tile, atHost, now));
    return end;
  }

  const runtime::DeviceCounts &counts(int device) const { return counts_[device]; }

private:
  struct State {
    Engine busIn, busOut;
    std::vector<Engine> in, out;
  };

  double &at(std::size_t tile, int place) { return valid_[tile * places_ + place]; }

  void set(std::size_t tile, int place, double time) {
    if (keepsUndo_)
      undo_.emplace_back(tile * places_ + place, at(tile, place));
    at(tile, place) = time;
  }

  /// When the tile is valid at the place.
  double bring(std::uint32_t tile, int place, double now) {
    if (at(tile, place) != never)
      return at(tile, place);
    if (at(tile, atHost) == never) {
      const int owner = ownerOf(tile);
      const double begin = std::max(now, at(tile, owner));
      set(tile, atHost, copy(tile, begin, machine_.devices[owner - 1].out, out_[owner], busOut_));
      count(owner, &runtime::DeviceCounts::out, tile);
    }
    if (place != atHost) {
      const double begin = std::max(now, at(tile, atHost));
      set(tile, place, copy(tile, begin, machine_.devices[place - 1].in, in_[place], busIn_));
      count(place, &runtime::DeviceCounts::in, tile);
    }
    return at(tile, place);
  }

  int ownerOf(std::uint32_t tile) {
    for (int place = 1; place < places_; ++place)
      if (at(tile, place) != never)
        return place;
    return atHost; // does not happen: somebody has it
  }

  double copy(std::uint32_t tile, double begin, const runtime::VirtualLink &link, Engine &engine, Engine &bus) {
    const double bytes = work_.bytes[tile];
    begin = std::max(begin, engine.free);
    double end = begin + link.latency + bytes / link.bytesPerSecond;
    if (machine_.busBytesPerSecond > 0) {
      bus.free = std::max(bus.free, begin) + bytes / machine_.busBytesPerSecond;
      end = std::max(end, bus.free);
    }
    return engine.free = end;
  }

  void count(int place, runtime::CopyCounts runtime::DeviceCounts::*way, std::uint32_t tile) {
    if (keepsUndo_)
      return;
    runtime::CopyCounts &counts = counts_[place - 1].*way;
    ++counts.copies;
    counts.bytes += static_cast<std::uint64_t>(work_.bytes[tile]);
  }

  template <typename Visit> void forEachWritten(std::uint32_t task, Visit &&visit) {
    keepsUndo_ = false;
    for (std::size_t use = work_.firstUse[task]; use < work_.firstUse[task + 1]; ++use)
      if (work_.uses[use].written)
        visit(work_.uses[use].tile);
  }

  const Work &work_;
  const runtime::VirtualHardware &machine_;
  const int places_;
  std::vector<double> valid_; // by tile and place: from when on; never: it is not
  Engine busIn_, busOut_;
  std::vector<Engine> in_, out_; // by place
  std::vector<runtime::DeviceCounts> counts_;
  bool keepsUndo_ = false;
  std::vector<std::pair<std::size_t, double>> undo_;
};

/// Cores, and behind them the devices.
struct Unit {
  int place = atHost;
  double free = 0, busy = 0;
  std::uint64_t tasks = 0;
  bool isIdle = true;
};

class Simulation {
public:
  Simulation(const Work &work, const runtime::VirtualHardware &machine, int threads, Rival rival)
      : work_(work), rival_(rival), devices_(static_cast<int>(machine.devices.size())), caches_(work, machine),
        units_(threads + devices_), waiting_(taskCount()), successors_(taskCount()) {
    for (int device = 0; device < devices_; ++device)
      units_[threads + device].place = 1 + device;
    for (std::uint32_t task = 0; task < taskCount(); ++task) {
      const std::size_t end =
          task + 1 < taskCount() ? work.graph.tasks[task + 1].firstPredecessor : work.graph.predecessors.size();
      for (std::size_t p = work.graph.tasks[task].firstPredecessor; p < end; ++p, ++waiting_[task])
        successors_[work.graph.predecessors[p]].push_back(task);
    }
  }

  runtime::Statistics run() {
    for (std::uint32_t task = 0; task < taskCount(); ++task)
      if (waiting_[task] == 0)
        becomeReady(task);
    startIdle();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
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
    int unit;           ///< that did it
    bool operator<(const Event &other) const {
      return std::tie(time, number) > std::tie(other.time, other.number); // the earliest on top
    }
  };

  std::size_t taskCount() const { return work_.core.size(); }
  double secondsOf(std::uint32_t task, const Unit &unit) const {
    return unit.place == atHost ? work_.core[task] : work_.device[std::size_t(task) * devices_ + unit.place - 1];
  }

  void becomeReady(std::uint32_t task) {
    if (rival_ != Rival::EarliestFinish)
      return ready_.push_back(task);
    int best = -1;
    double end = never;
    bool seenCore = false;
    for (const int number : byFree()) {
      const Unit &unit = units_[number];
      if (unit.place == atHost && std::exchange(seenCore, true))
        continue; // another one is free before
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

  /// Of whoever is free each takes the first task that it can do; devices before cores, which have more tasks.
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
    unit.free = rival_ == Rival::WriteThrough ? caches_.writeThrough(task, end) : end;
    unit.busy += seconds;
    ++unit.tasks;
    unit.isIdle = false;
    events_.push({unit.free, number_++, task, number});
  }

  runtime::Statistics statistics(double seconds) const {
    runtime::Statistics statistics;
    statistics.seconds = seconds;
    statistics.tasks = taskCount();
    statistics.flops = work_.flops;
    for (const Unit &unit : units_)
      if (unit.place == atHost)
        statistics.busy.push_back(unit.busy);
      else {
        runtime::DeviceStatistics device;
        static_cast<runtime::DeviceCounts &>(device) = caches_.counts(unit.place - 1);
        device.tasks = unit.tasks;
        device.busy = unit.busy;
        statistics.devices.push_back(device);
      }
    return statistics;
  }

  const Work &work_;
  const Rival rival_;
  const int devices_;
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

runtime::Outcome runAsRival(const VirtualRunRequest &request, Rival rival) {
  const std::string name = std::string("--policy ") + rivalName(rival) + ": ";
  if (request.algorithm.slices > 1)
    throw UsageError(name + "its tiles are whole; compile " + request.algorithm.name + " without --split");
  if (request.algorithm.isDealt)
    throw UsageError(name + "leave out --tasks: the policy says who computes what");
  const DryCall call(request.algorithm, request.values, request.scalars, request.nb, request.cut, 0);
  Work work;
  Reader reader(request.machine, work);
  work.graph = runtime::recordTasks(request.algorithm, call.arguments(), mostTasks, nullptr, {},
                                    [&](const auto &taskClass, const auto &view, const auto *accesses, int count) {
                                      reader(taskClass, view, accesses, count);
                                    });
  runtime::Outcome outcome;
  outcome.statistics = Simulation(work, request.machine, request.threads, rival).run();
  return outcome;
}

} // namespace tla::host
