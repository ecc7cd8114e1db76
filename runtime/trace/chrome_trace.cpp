#include "runtime/trace/chrome_trace.hpp"

#include <cstdio>

namespace tla::trace {
namespace {

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

std::string metadata(const char *what, std::size_t worker, const std::string &name) {
  return std::string("{\"ph\": \"M\", \"pid\": 0, \"tid\": ") + std::to_string(worker) + ", \"name\": \"" + what +
         "\", \"args\": {\"name\": " + quote(name) + "}}";
}

/// The numbers of the rows: the workers', then three for each accelerator.
class Rows {
public:
  explicit Rows(const runtime::Statistics &statistics) : workers_(statistics.busy.size()) {}

  std::size_t ofWorker(std::size_t worker) const {
    return worker < workers_ ? worker : ofDevice(worker - workers_, Kernels);
  }
  std::size_t of(const runtime::CopyEvent &copy) const {
    return ofDevice(copy.device, copy.way == runtime::CopyEvent::Way::Out ? Out : In);
  }
  /// Their names.
  std::string metadataOf(std::size_t device, const std::string &name) const {
    return ",\n" + metadata("thread_name", ofDevice(device, Kernels), name) + ",\n" +
           metadata("thread_name", ofDevice(device, In), name + " copies in") + ",\n" +
           metadata("thread_name", ofDevice(device, Out), name + " copies out");
  }

private:
  enum Row : std::size_t { Kernels, In, Out, Count };
  std::size_t ofDevice(std::size_t device, Row row) const { return workers_ + device * Count + row; }
  const std::size_t workers_;
};

std::string tileText(int row, int column, int slice) {
  return "(" + std::to_string(row) + ", " + std::to_string(column) + ")" +
         (slice < 0 ? "" : " slice " + std::to_string(slice));
}

/// Up to its args.
std::string completeEvent(std::size_t row, double begin, double end, const std::string &name,
                          const std::string &category) {
  char times[96];
  std::snprintf(times, sizeof times, "\"ts\": %.3f, \"dur\": %.3f", begin * 1e6, (end - begin) * 1e6);
  return "{\"ph\": \"X\", \"pid\": 0, \"tid\": " + std::to_string(row) + ", " + times + ", \"name\": " + quote(name) +
         ", \"cat\": " + quote(category) + ", \"args\": ";
}

std::string taskEvent(const Rows &rows, const runtime::TraceEvent &event, const runtime::ClassStatistics &taskClass) {
  const std::string tile = tileText(event.row, event.column, event.slice);
  return completeEvent(rows.ofWorker(event.worker), event.begin, event.end, taskClass.kernel + tile, taskClass.kernel) +
         "{\"tile\": " + quote(tile) + ", \"where\": " + quote(taskClass.location) + "}}";
}

std::string copyEvent(const Rows &rows, const runtime::CopyEvent &copy) {
  static constexpr const char *ways[] = {"from the host", "to the host", "from another accelerator"};
  const std::string name = copy.matrix + tileText(copy.row, copy.column, copy.slice);
  return completeEvent(rows.of(copy), copy.begin, copy.end, name, "copy") +
         "{\"bytes\": " + std::to_string(copy.bytes) + ", \"way\": " + quote(ways[static_cast<int>(copy.way)]) + "}}";
}
} // namespace

std::string chromeTrace(const runtime::Statistics &statistics, const std::string &program) {
  const Rows rows(statistics);
  std::string text = "[\n" + metadata("process_name", 0, program);
  for (std::size_t worker = 0; worker < statistics.busy.size(); ++worker)
    text += ",\n" + metadata("thread_name", worker, "worker " + std::to_string(worker));
  for (std::size_t device = 0; device < statistics.devices.size(); ++device)
    text += rows.metadataOf(device, statistics.devices[device].name);
  for (const runtime::TraceEvent &event : statistics.trace)
    text += ",\n" + taskEvent(rows, event, statistics.classes.at(event.taskClass));
  for (const runtime::CopyEvent &copy : statistics.copyTrace)
    text += ",\n" + copyEvent(rows, copy);
  return text + "\n]\n";
}

} // namespace tla::trace
