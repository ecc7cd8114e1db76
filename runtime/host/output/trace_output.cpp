#include "runtime/host/output/trace_output.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "runtime/host/starter/run_command.hpp"
#include "runtime/interfaces/starter.hpp"
#include "runtime/trace/chrome_trace.hpp"

#include <tla/runtime/error.hpp>

#include <unistd.h>

namespace tla::host {

/// As 'hetc trace' has them, except .trace, which is no picture's name alone.
static bool isPicture(const std::string &path) { return path.ends_with(".html") || path.ends_with(".svg"); }

void requireTraceOutput(const std::string &path) {
  requireWritable(path, "--trace", 0);
  if (isPicture(path) && !findStarter())
    throw UsageError("--trace: " + path + ": pictures are drawn by hetc, which has not started this program; write " +
                     path.substr(0, path.rfind('.')) + ".json, and then 'hetc trace' it");
}

static void writeEvents(const std::string &path, const TracedRun &run) {
  const runtime::Algorithm &algorithm = *run.problem.algorithm;
  OutputFile file(path);
  file.write(trace::chromeTrace(run.ranks, {.program = algorithm.name,
                                            .type = typeName(algorithm.type),
                                            .sizes = usedSizes(algorithm, run.problem.values),
                                            .nb = run.problem.nb,
                                            .seconds = run.seconds,
                                            .flops = run.flops,
                                            .machine = run.machine}));
  file.commit();
}

void writeTrace(const std::string &path, const TracedRun &run) {
  if (!isPicture(path))
    return writeEvents(path, run);
  const std::string events = path + "." + std::to_string(::getpid()) + ".json";
  writeEvents(events, run);
  if (!runCommand({findStarter()->hetc, "trace", events, "-o", path}, /*silent=*/false))
    throw Error("--trace: " + path + " could not be drawn; 'hetc trace' takes its events, which are in " + events);
  ::unlink(events.c_str());
}

} // namespace tla::host
