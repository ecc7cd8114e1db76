#include "compiler/ir/diagnose.hpp"

#include "compiler/ir/text.hpp"

#include <algorithm>

namespace hetc::ir {

Diagnostic makeError(const Location &location, const std::string &message) {
  return {Diagnostic::Severity::Error, location, message, {}};
}

Diagnostic makeRemark(const Location &location, const std::string &message) {
  return {Diagnostic::Severity::Remark, location, message, {}};
}

bool hasErrors(const std::vector<Diagnostic> &diagnostics) {
  return std::ranges::any_of(diagnostics,
                             [](const Diagnostic &each) { return each.severity == Diagnostic::Severity::Error; });
}

Diagnostic withCalls(const Program &program, unsigned task, Diagnostic diagnostic) {
  forEachTask(program, [&](const Task &one) {
    if (one.id == task)
      for (const CallSite &call : one.calls)
        diagnostic.notes.push_back({Diagnostic::Severity::Note, call.location, calledHere(call.callee), {}});
  });
  return diagnostic;
}

Diagnostic withShapes(const Program &program, const std::set<std::string> &matrices, Diagnostic diagnostic) {
  for (const Matrix &matrix : program.matrices)
    if (matrix.hasDefaultShape && matrices.contains(matrix.name))
      diagnostic.notes.push_back({Diagnostic::Severity::Note,
                                  matrix.location,
                                  "no shape says how large '" + matrix.name + "' is, so it is taken to be " +
                                      print(*matrix.rows) + " x " + print(*matrix.cols) +
                                      "; if it is not, say so in '#pragma tla algorithm', as in shape(" + matrix.name +
                                      "(n, k))",
                                  {}});
  return diagnostic;
}

} // namespace hetc::ir
