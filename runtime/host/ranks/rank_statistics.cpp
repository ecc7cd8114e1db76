#include "runtime/host/ranks/rank_statistics.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tla::host {
namespace {
using runtime::ClassStatistics;
using runtime::CopyEvent;
using runtime::DeviceStatistics;
using runtime::MessageEvent;
using runtime::Statistics;
using runtime::TraceEvent;

/// Values one after the other. All ranks run the same program, so the representation is the same.
class Writer {
public:
  template <typename T> void operator()(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void operator()(const std::string &text) {
    (*this)(text.size());
    bytes_ += text;
  }
  template <typename T> void operator()(const std::vector<T> &list) {
    (*this)(list.size());
    for (const T &value : list)
      (*this)(value);
  }
  void operator()(const ClassStatistics &line) { visit(line, *this); }
  void operator()(const DeviceStatistics &device) { visitDevice(device, *this); }
  void operator()(const CopyEvent &copy) { visitCopy(copy, *this); }
  template <typename Value, typename Visitor> static void visitCopy(Value &copy, Visitor &each) {
    each(copy.matrix), each(copy.device), each(copy.row), each(copy.column), each(copy.slice), each(copy.way);
    each(copy.bytes), each(copy.begin), each(copy.end), each(copy.origin);
  }
  void operator()(const MessageEvent &message) { visitMessage(message, *this); }
  template <typename Value, typename Visitor> static void visitMessage(Value &message, Visitor &each) {
    each(message.matrix), each(message.row), each(message.column), each(message.slice), each(message.peer);
    each(message.number), each(message.received), each(message.via), each(message.bytes), each(message.begin);
    each(message.end), each(message.origin);
  }
  template <typename Value, typename Visitor> static void visitDevice(Value &device, Visitor &each) {
    each(device.name), each(device.tasks), each(device.in), each(device.out), each(device.peer), each(device.busy);
    each(device.launches), each(device.flops), each(device.peakBytes), each(device.residentBytes);
  }
  template <typename Value, typename Visitor> static void visit(Value &line, Visitor &each) {
    each(line.kernel), each(line.location), each(line.tasks), each(line.seconds), each(line.flops);
  }
  std::string &bytes() { return bytes_; }

private:
  std::string bytes_;
};

class Reader {
public:
  explicit Reader(const std::string &bytes) : next_(bytes.data()) {}
  template <typename T> void operator()(T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
  }
  void operator()(std::string &text) {
    text.resize(size());
    (void)std::copy_n(next_, text.size(), text.data());
    next_ += text.size();
  }
  template <typename T> void operator()(std::vector<T> &list) {
    list.resize(size());
    for (T &value : list)
      (*this)(value);
  }
  void operator()(ClassStatistics &line) { Writer::visit(line, *this); }
  void operator()(DeviceStatistics &device) { Writer::visitDevice(device, *this); }
  void operator()(CopyEvent &copy) { Writer::visitCopy(copy, *this); }
  void operator()(MessageEvent &message) { Writer::visitMessage(message, *this); }

private:
  std::size_t size() {
    std::size_t value;
    (*this)(value);
    return value;
  }
  const char *next_;
};

template <typename Value, typename Visitor> void visitAll(Value &statistics, Visitor &each) {
  each(statistics.seconds), each(statistics.generation), each(statistics.tasks), each(statistics.renames);
  each(statistics.windowFull), each(statistics.sleeps), each(statistics.flops), each(statistics.peakTasks);
  each(statistics.windowBytes), each(statistics.renameBytes), each(statistics.transfers), each(statistics.foreignBytes);
  each(statistics.temporaryBytes);
  each(statistics.busy), each(statistics.classes), each(statistics.trace), each(statistics.devices);
  each(statistics.copyTrace), each(statistics.messageTrace), each(statistics.waitTrace), each(statistics.traceUntil);
  each(statistics.startedAt);
}

std::size_t classNumber(std::vector<ClassStatistics> &classes, const ClassStatistics &like) {
  const auto found = std::ranges::find_if(classes, [&](const ClassStatistics &line) {
    return line.kernel == like.kernel && line.location == like.location;
  });
  if (found != classes.end())
    return static_cast<std::size_t>(found - classes.begin());
  classes.push_back({like.kernel, like.location});
  return classes.size() - 1;
}

/// `workers`: of all ranks together; accelerators come behind them.
void addEvents(Statistics &total, const Statistics &part, std::size_t workers) {
  std::vector<std::uint32_t> numbers;
  for (const ClassStatistics &line : part.classes) {
    const std::size_t number = classNumber(total.classes, line);
    total.classes[number].tasks += line.tasks;
    total.classes[number].seconds += line.seconds;
    total.classes[number].flops += line.flops;
    numbers.push_back(static_cast<std::uint32_t>(number));
  }
  for (TraceEvent event : part.trace) {
    event.taskClass = numbers[event.taskClass];
    const std::size_t own = part.busy.size();
    event.worker +=
        static_cast<std::uint32_t>(event.worker < own ? total.busy.size() : workers - own + total.devices.size());
    total.trace.push_back(event);
  }
  for (CopyEvent copy : part.copyTrace) {
    copy.device += static_cast<std::uint32_t>(total.devices.size());
    total.copyTrace.push_back(std::move(copy));
  }
  total.busy.insert(total.busy.end(), part.busy.begin(), part.busy.end());
  total.devices.insert(total.devices.end(), part.devices.begin(), part.devices.end());
}
} // namespace

std::vector<Statistics> gatherStatistics(const Statistics &mine, Ranks &ranks) {
  if (ranks.alone())
    return {mine};
  Writer writer;
  visitAll(mine, writer);
  std::vector<Statistics> all;
  for (const std::string &part : ranks.gather(writer.bytes())) {
    Reader reader(part);
    visitAll(all.emplace_back(), reader);
  }
  return all;
}

Statistics totalOf(const std::vector<Statistics> &byRank) {
  if (byRank.size() == 1)
    return byRank.front();
  Statistics total;
  std::size_t workers = 0;
  for (const Statistics &part : byRank)
    workers += part.busy.size();
  for (const Statistics &part : byRank) {
    total.seconds = std::max(total.seconds, part.seconds);
    total.generation = std::max(total.generation, part.generation);
    total.tasks += part.tasks;
    total.renames += part.renames;
    total.windowFull += part.windowFull;
    total.sleeps += part.sleeps;
    total.flops += part.flops;
    total.peakTasks += part.peakTasks;
    total.windowBytes += part.windowBytes;
    total.renameBytes += part.renameBytes;
    total.transfers.messages += part.transfers.messages;
    total.transfers.bytes += part.transfers.bytes;
    total.transfers.received += part.transfers.received;
    total.transfers.receivedBytes += part.transfers.receivedBytes;
    total.transfers.delegated += part.transfers.delegated;
    total.transfers.delegatedBytes += part.transfers.delegatedBytes;
    total.transfers.forwarded += part.transfers.forwarded;
    total.transfers.forwardedBytes += part.transfers.forwardedBytes;
    total.foreignBytes += part.foreignBytes;
    total.temporaryBytes += part.temporaryBytes;
    addEvents(total, part, workers);
  }
  return total;
}

} // namespace tla::host
