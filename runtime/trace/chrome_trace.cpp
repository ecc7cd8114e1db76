#include "runtime/trace/chrome_trace.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

namespace tla::trace {
namespace {
using runtime::CopyEvent;
using runtime::MessageEvent;
using runtime::Statistics;
using runtime::TraceEvent;
using runtime::WaitEvent;

/// A JSON string with its quotes.
std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string number(double value) { return format("%.9g", value); }

/// Microseconds, to the nanosecond.
std::string microseconds(double seconds) { return format("%.3f", seconds * 1e6); }

std::string tileText(int row, int column, int slice) {
  return "(" + std::to_string(row) + ", " + std::to_string(column) + ")" +
         (slice < 0 ? "" : " slice " + std::to_string(slice));
}

/// Messages of one way in rows, so that none overlaps another in its row.
class Lanes {
public:
  /// In the order of begin.
  std::size_t laneFor(double begin, double end) {
    std::size_t lane = count_;
    if (!free_.empty() && free_.top().first <= begin) {
      lane = free_.top().second;
      free_.pop();
    } else {
      ++count_;
    }
    free_.emplace(end, lane);
    return lane;
  }
  std::size_t count() const { return count_; }

private:
  using Entry = std::pair<double, std::size_t>; // free from then on
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> free_;
  std::size_t count_ = 0;
};

/// The two ranks of a message, and its number among those from the first to the second.
using MessageKey = std::tuple<int, int, std::uint32_t>;
MessageKey keyOf(const MessageEvent &message, int rank) {
  return message.received ? MessageKey{message.peer, rank, message.number}
                          : MessageKey{rank, message.peer, message.number};
}

class Writer {
public:
  Writer(const std::vector<Statistics> &ranks, const RunFacts &facts) : ranks_(ranks), facts_(facts) {}

  std::string write() {
    findShifts();
    findArrows();
    writeFacts();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      writeRank(static_cast<int>(rank));
    return text_ + "\n]\n";
  }

private:
  /// Ranks that began later by more than the run took have other clocks: nothing is known then.
  void findShifts() {
    std::int64_t first = ranks_.front().startedAt, last = first;
    double longest = 0;
    for (const Statistics &rank : ranks_) {
      first = std::min(first, rank.startedAt);
      last = std::max(last, rank.startedAt);
      longest = std::max(longest, rank.seconds);
    }
    inStep_ = static_cast<double>(last - first) * 1e-9 <= longest;
    for (const Statistics &rank : ranks_)
      shifts_.push_back(inStep_ ? static_cast<double>(rank.startedAt - first) * 1e-9 : 0);
  }

  /// Numbers the messages whose both ends are there.
  void findArrows() {
    std::map<MessageKey, int> ends;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      for (const MessageEvent &message : ranks_[rank].messageTrace)
        ++ends[keyOf(message, static_cast<int>(rank))];
    int arrow = 0;
    for (const auto &[key, count] : ends)
      if (count == 2)
        arrows_[key] = ++arrow;
  }

  void add(const std::string &event) { text_ += (text_.empty() ? "[\n" : ",\n") + event; }

  void writeFacts() {
    double until = 0;
    std::uint64_t messages = 0, tasks = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      messages += ranks_[rank].transfers.messages;
      tasks += ranks_[rank].tasks;
      if (const double left = ranks_[rank].traceUntil; left > 0)
        until = until > 0 ? std::min(until, left + shifts_[rank]) : left + shifts_[rank];
    }
    std::string sizes;
    for (const auto &[symbol, value] : facts_.sizes)
      sizes += (sizes.empty() ? "\"" : ", \"") + std::string(1, symbol) + "\": " + std::to_string(value);
    add("{\"ph\": \"M\", \"pid\": 0, \"tid\": 0, \"name\": \"hetc_run\", \"args\": {\"program\": " +
        quote(facts_.program) + ", \"type\": " + quote(facts_.type) + ", \"sizes\": {" + sizes +
        "}, \"nb\": " + std::to_string(facts_.nb) + ", \"seconds\": " + number(facts_.seconds) +
        ", \"flops\": " + number(facts_.flops) + ", \"machine\": " + quote(facts_.machine) +
        ", \"ranks\": " + std::to_string(ranks_.size()) + ", \"tasks\": " + std::to_string(tasks) +
        ", \"messages\": " + std::to_string(messages) + ", \"until\": " + (until > 0 ? microseconds(until) : "null") +
        ", \"clocks_in_step\": " + (inStep_ ? "true" : "false") + "}}");
  }

  void writeRank(int rank) {
    rank_ = rank;
    const Statistics &statistics = ranks_[rank];
    metadata("process_name", 0,
             "{\"name\": " + quote(ranks_.size() == 1 ? facts_.program : "rank " + std::to_string(rank)) + "}");
    const std::size_t workers = rows_;
    for (std::size_t worker = 0; worker < statistics.busy.size(); ++worker)
      newRow("worker", "worker " + std::to_string(worker));
    const std::size_t devices = rows_;
    for (const runtime::DeviceStatistics &device : statistics.devices) {
      newRow("device", device.name);
      newRow("copies in", device.name + " copies in");
      newRow("copies out", device.name + " copies out");
    }
    for (const TraceEvent &event : statistics.trace)
      writeTask(event.worker < statistics.busy.size() ? workers + event.worker
                                                      : devices + 3 * (event.worker - statistics.busy.size()),
                event, statistics.classes.at(event.taskClass));
    for (const CopyEvent &copy : statistics.copyTrace)
      writeCopy(devices + 3 * copy.device + (copy.way == CopyEvent::Way::Out ? 2 : 1), copy);
    writeMessages(statistics.messageTrace, false);
    writeMessages(statistics.messageTrace, true);
    writeWaits(statistics.waitTrace);
  }

  void metadata(const char *what, std::size_t row, const std::string &args) {
    add("{\"ph\": \"M\", \"pid\": " + std::to_string(rank_) + ", \"tid\": " + std::to_string(row) + ", \"name\": \"" +
        what + "\", \"args\": " + args + "}");
  }
  std::size_t newRow(const char *kind, const std::string &name) {
    metadata("thread_name", rows_, "{\"name\": " + quote(name) + "}");
    metadata("hetc_row", rows_, std::string("{\"kind\": \"") + kind + "\"}");
    return rows_++;
  }

  std::string at(const char *phase, std::size_t row, double seconds) const {
    return std::string("{\"ph\": \"") + phase + "\", \"pid\": " + std::to_string(rank_) +
           ", \"tid\": " + std::to_string(row) + ", \"ts\": " + microseconds(seconds + shifts_[rank_]);
  }
  /// The text of an event up to its args.
  std::string slice(std::size_t row, double begin, double end, const std::string &name,
                    const std::string &category) const {
    return at("X", row, begin) + ", \"dur\": " + microseconds(end - begin) + ", \"name\": " + quote(name) +
           ", \"cat\": " + quote(category) + ", \"args\": ";
  }
  /// The end of its args.
  std::string originText(const runtime::TraceCause &origin) const {
    return ", \"task\": " + std::to_string(origin.number) + ", \"cause\": " + std::to_string(origin.cause) +
           ", \"appended\": " + microseconds(origin.appended + shifts_[rank_]) +
           ", \"ready\": " + microseconds(origin.ready + shifts_[rank_]) + "}}";
  }

  void writeTask(std::size_t row, const TraceEvent &event, const runtime::ClassStatistics &taskClass) {
    const std::string tile = tileText(event.row, event.column, event.slice);
    add(slice(row, event.begin, event.end, taskClass.kernel + tile, taskClass.kernel) + "{\"tile\": " + quote(tile) +
        ", \"where\": " + quote(taskClass.location) + originText(event.origin));
  }
  void writeCopy(std::size_t row, const CopyEvent &copy) {
    static constexpr const char *ways[] = {"from the host", "to the host", "from another accelerator"};
    add(slice(row, copy.begin, copy.end, copy.matrix + tileText(copy.row, copy.column, copy.slice), "copy") +
        "{\"bytes\": " + std::to_string(copy.bytes) + ", \"way\": " + quote(ways[static_cast<int>(copy.way)]) +
        originText(copy.origin));
  }

  void writeMessages(const std::vector<MessageEvent> &all, bool received) {
    std::vector<const MessageEvent *> messages;
    for (const MessageEvent &message : all)
      if (message.received == received)
        messages.push_back(&message);
    std::ranges::stable_sort(messages, {}, [](const MessageEvent *message) { return message->begin; });
    Lanes lanes;
    std::vector<std::size_t> rows;
    for (const MessageEvent *message : messages) {
      const std::size_t lane = lanes.laneFor(message->begin, message->end);
      if (lane == rows.size())
        rows.push_back(newRow(received ? "receives" : "sends", received ? "receives" : "sends"));
      writeMessage(rows[lane], *message);
    }
  }
  void writeMessage(std::size_t row, const MessageEvent &message) {
    add(slice(row, message.begin, message.end, message.matrix + tileText(message.row, message.column, message.slice),
              "message") +
        "{\"bytes\": " + std::to_string(message.bytes) + (message.received ? ", \"from\": " : ", \"to\": ") +
        std::to_string(message.peer) + ", \"number\": " + std::to_string(message.number) +
        (message.via < 0 ? "" : ", \"via\": " + std::to_string(message.via)) + originText(message.origin));
    const auto arrow = arrows_.find(keyOf(message, rank_));
    if (arrow == arrows_.end())
      return;
    add(at(message.received ? "f" : "s", row, message.begin) + (message.received ? ", \"bp\": \"e\"" : "") +
        ", \"id\": " + std::to_string(arrow->second) + ", \"name\": \"message\", \"cat\": \"message\"}");
  }

  void writeWaits(const std::vector<WaitEvent> &waits) {
    if (waits.empty())
      return;
    const std::size_t row = newRow("loops", "program's loops");
    for (const WaitEvent &wait : waits)
      add(slice(row, wait.begin, wait.end, wait.reason == WaitEvent::Reason::Window ? "window full" : "memory full",
                "wait") +
          "{}}");
  }

  const std::vector<Statistics> &ranks_;
  const RunFacts &facts_;
  std::vector<double> shifts_; // by rank: seconds after the first one
  bool inStep_ = true;
  std::map<MessageKey, int> arrows_;
  int rank_ = 0;
  std::size_t rows_ = 0;
  std::string text_;
};
} // namespace

std::string chromeTrace(const std::vector<Statistics> &ranks, const RunFacts &facts) {
  return Writer(ranks, facts).write();
}

} // namespace tla::trace
