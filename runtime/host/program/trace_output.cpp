#include "runtime/host/program/trace_output.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "runtime/trace/chrome_trace.hpp"

namespace tla::host {

void writeTrace(const std::string &path, const TracedRun &run) {
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

} // namespace tla::host
