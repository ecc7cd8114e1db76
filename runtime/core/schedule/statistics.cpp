#include "runtime/core/schedule/statistics.hpp"

#include "runtime/core/window/tile_table.hpp"

#include <algorithm>

namespace tla::runtime {

void WorkerStatistics::record(const Task &task, Ticks begin, Ticks end, double flops, const TaskLog &log) {
  if (task.classIndex >= classes_.size())
    classes_.resize(task.classIndex + 1);
  PerClass &mine = classes_[task.classIndex];
  ++mine.tasks;
  mine.ticks += end - begin;
  mine.flops += flops;
  if (flops != 0)
    add(flops_, flops);
  if (!log.on())
    return;
  if (!log.records(task.sequence())) {
    leaveOut(begin);
    return;
  }
  Event event{task.sequence(), task.classIndex, 0, 0, task.accessCount, begin, end, -1};
  if (const Version *version = task.mainOutput()) {
    event.row = version->row;
    event.column = version->table->storage().tileColumn(version->column);
    event.slice = version->table->sliceNumber(version->column);
  }
  events_.push_back(event);
}

StatisticsSum::StatisticsSum(Statistics &result, const std::vector<const TaskClass *> &classes, const TaskLog &log,
                             Ticks begin, double secondsPerTick)
    : result_(result), log_(log), begin_(begin), secondsPerTick_(secondsPerTick) {
  for (const TaskClass *taskClass : classes)
    result_.classes.push_back({taskClass->kernel, taskClass->location, 0, 0, 0});
}

void StatisticsSum::add(int worker, const WorkerStatistics &statistics) {
  result_.busy.push_back(addClasses(statistics));
  result_.sleeps += statistics.sleeps_.load(std::memory_order_relaxed) - statistics.sleepsBefore_;
  addEvents(worker, statistics);
}

void StatisticsSum::addDevice(int worker, const WorkerStatistics &statistics, DeviceStatistics counts) {
  addClasses(statistics);
  addEvents(worker, statistics);
  addCopies(statistics);
  result_.devices.push_back(std::move(counts));
}

/// Returns the seconds in kernels.
double StatisticsSum::addClasses(const WorkerStatistics &statistics) {
  double busy = 0;
  for (std::size_t c = 0; c < statistics.classes_.size(); ++c) {
    const WorkerStatistics::PerClass &one = statistics.classes_[c];
    const double seconds = static_cast<double>(one.ticks) * secondsPerTick_;
    result_.classes[c].tasks += one.tasks;
    result_.classes[c].seconds += seconds;
    result_.classes[c].flops += one.flops;
    busy += seconds;
  }
  result_.tasks += statistics.tasks();
  result_.flops += statistics.flops();
  return busy;
}

/// Since the start of the run. Signed: the counters of two cores may differ by a few ticks.
double StatisticsSum::secondsAt(Ticks ticks) const {
  return static_cast<double>(static_cast<std::int64_t>(ticks - begin_)) * secondsPerTick_;
}

/// A worker's task begins at the boundary with the one before, which may be a moment before that has made it ready.
TraceCause StatisticsSum::causeOf(std::uint32_t task, Ticks begin) const {
  const TaskLog::Entry &entry = log_.entry(task);
  const Ticks ready = std::min(entry.ready, begin);
  return {task, entry.cause, secondsAt(std::min(entry.appended, ready)), secondsAt(ready)};
}

void StatisticsSum::addEvents(int worker, const WorkerStatistics &statistics) {
  for (const WorkerStatistics::Event &event : statistics.events_)
    result_.trace.push_back({event.taskClass, static_cast<std::uint32_t>(worker), event.row, event.column,
                             event.accesses, secondsAt(event.begin), secondsAt(event.end), event.slice,
                             causeOf(event.task, event.begin)});
  endTraceAt(statistics.leftOut_);
}

void StatisticsSum::endTraceAt(Ticks leftOut) {
  if (leftOut == TaskLog::never)
    return;
  const double seconds = secondsAt(leftOut);
  result_.traceUntil = result_.traceUntil > 0 ? std::min(result_.traceUntil, seconds) : seconds;
}

void StatisticsSum::addCopies(const WorkerStatistics &statistics) {
  const auto device = static_cast<std::uint32_t>(result_.devices.size());
  for (const WorkerStatistics::Copy &copy : statistics.copies_)
    result_.copyTrace.push_back({copy.table->name(), device, copy.row, copy.table->storage().tileColumn(copy.column),
                                 copy.table->sliceNumber(copy.column), copy.way, copy.bytes, secondsAt(copy.begin),
                                 secondsAt(copy.end), causeOf(copy.task, copy.begin)});
}

void StatisticsSum::addLog() {
  for (const TaskLog::Message &message : log_.messages()) {
    const TileTable &table = *message.table;
    result_.messageTrace.push_back(
        {table.name(), message.row, table.storage().tileColumn(message.column), table.sliceNumber(message.column),
         message.peer, static_cast<std::uint32_t>(message.number), message.received, message.via, message.bytes,
         secondsAt(message.begin), secondsAt(message.end), causeOf(message.task, message.begin)});
  }
  endTraceAt(log_.leftOut());
  for (const TaskLog::Wait &wait : log_.waits())
    result_.waitTrace.push_back({wait.reason, secondsAt(wait.begin), secondsAt(wait.end)});
}

void StatisticsSum::reset(WorkerStatistics &statistics) {
  statistics.tasks_.store(0, std::memory_order_relaxed);
  statistics.flops_.store(0, std::memory_order_relaxed);
  statistics.sleepsBefore_ = statistics.sleeps_.load(std::memory_order_relaxed);
  statistics.classes_.clear();
  statistics.events_.clear();
  statistics.copies_.clear();
  statistics.leftOut_ = TaskLog::never;
}

} // namespace tla::runtime
