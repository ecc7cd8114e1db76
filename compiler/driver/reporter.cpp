#include "compiler/driver/reporter.hpp"

namespace hetc::driver {

ir::Diagnostic makeError(const ir::Location &location, const std::string &message) {
  return {ir::Diagnostic::Severity::Error, location, message, {}};
}

ir::Diagnostic makeRemark(const ir::Location &location, const std::string &message) {
  return {ir::Diagnostic::Severity::Remark, location, message, {}};
}

ir::Diagnostic withCalls(const ir::Program &program, unsigned task, ir::Diagnostic diagnostic) {
  ir::forEachTask(program.body, [&](const ir::Task &one) {
    if (one.id == task)
      for (const ir::CallSite &call : one.calls)
        diagnostic.notes.push_back({ir::Diagnostic::Severity::Note, call.location, ir::calledHere(call.callee), {}});
  });
  return diagnostic;
}

ir::Diagnostic withShapes(const ir::Program &program, const std::set<std::string> &matrices,
                          ir::Diagnostic diagnostic) {
  for (const ir::Matrix &matrix : program.matrices)
    if (matrix.hasDefaultShape && matrices.contains(matrix.name))
      diagnostic.notes.push_back({ir::Diagnostic::Severity::Note,
                                  matrix.location,
                                  "no shape says how large '" + matrix.name + "' is, so it is taken to be " +
                                      ir::print(*matrix.rows) + " x " + ir::print(*matrix.cols) +
                                      "; if it is not, say so in '#pragma tla algorithm', as in shape(" + matrix.name +
                                      "(n, k))",
                                  {}});
  return diagnostic;
}

bool Reporter::show(const std::vector<ir::Diagnostic> &diagnostics) {
  bool noError = true;
  for (const ir::Diagnostic &diagnostic : diagnostics) {
    const bool isRemark = diagnostic.severity == ir::Diagnostic::Severity::Remark;
    if (isRemark && ignoresRemarks_)
      continue;
    if (isRemark)
      keepRemark(diagnostic);
    if (!isRemark || showsRemarks_)
      session_.report(diagnostic);
    noError = noError && diagnostic.severity != ir::Diagnostic::Severity::Error;
  }
  return noError;
}

void Reporter::keepRemark(const ir::Diagnostic &remark) {
  const ir::Location &at = remark.location;
  const std::string file = at.file.empty() ? file_ : at.file;
  const std::string place =
      at.line ? file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " : "";
  remarks_.push_back(place + "remark: " + remark.message);
}

} // namespace hetc::driver
