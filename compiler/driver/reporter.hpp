// What a compilation has to say of the program: errors and remarks, each at its place in the source.
#pragma once

#include "compiler/frontend/frontend.hpp"
#include "compiler/ir/diagnostic.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hetc::driver {

class Reporter {
public:
  /// Reports on the program in `file`, which the session has open. Remarks are shown where `showsRemarks`, and kept
  /// anyhow.
  Reporter(frontend::FrontEnd &session, std::string file, bool showsRemarks)
      : session_(session), file_(std::move(file)), showsRemarks_(showsRemarks) {}

  /// Shows them in their order; true when none is an error.
  bool show(const std::vector<ir::Diagnostic> &diagnostics);
  /// Remarks that are neither shown nor kept, until they are wanted again.
  void ignoreRemarks(bool ignore) { ignoresRemarks_ = ignore; }
  /// One line each.
  const std::vector<std::string> &remarks() const { return remarks_; }

private:
  void keepRemark(const ir::Diagnostic &remark);

  frontend::FrontEnd &session_;
  const std::string file_;
  const bool showsRemarks_;
  bool ignoresRemarks_ = false;
  std::vector<std::string> remarks_;
};

} // namespace hetc::driver
