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

std::string completeEvent(const runtime::TraceEvent &event, const runtime::ClassStatistics &taskClass) {
  char times[96];
  std::snprintf(times, sizeof times, "\"ts\": %.3f, \"dur\": %.3f", event.begin * 1e6, (event.end - event.begin) * 1e6);
  char tile[64];
  const int length = std::snprintf(tile, sizeof tile, "(%d, %d)", event.row, event.column);
  if (event.slice >= 0)
    std::snprintf(tile + length, sizeof tile - length, " slice %d", event.slice);
  return "{\"ph\": \"X\", \"pid\": 0, \"tid\": " + std::to_string(event.worker) + ", " + times +
         ", \"name\": " + quote(taskClass.kernel + tile) + ", \"cat\": " + quote(taskClass.kernel) +
         ", \"args\": {\"tile\": " + quote(tile) + ", \"where\": " + quote(taskClass.location) + "}}";
}
} // namespace

std::string chromeTrace(const runtime::Statistics &statistics, const std::string &program) {
  std::string text = "[\n" + metadata("process_name", 0, program);
  for (std::size_t worker = 0; worker < statistics.busy.size(); ++worker)
    text += ",\n" + metadata("thread_name", worker, "worker " + std::to_string(worker));
  for (std::size_t device = 0; device < statistics.devices.size(); ++device)
    text += ",\n" + metadata("thread_name", statistics.busy.size() + device, statistics.devices[device].name);
  for (const runtime::TraceEvent &event : statistics.trace)
    text += ",\n" + completeEvent(event, statistics.classes.at(event.taskClass));
  return text + "\n]\n";
}

} // namespace tla::trace
