#include "compiler/driver/reporter.hpp"

namespace hetc::driver {

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
