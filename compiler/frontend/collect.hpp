// Diagnostics as data, in the place of text on standard error.
#pragma once

#include "compiler/ir/finding.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/LangOptions.h>

#include <vector>

namespace hetc::frontend {

/// Appends each diagnostic to a list, notes to what they belong to.
class CollectingConsumer : public clang::DiagnosticConsumer {
public:
  explicit CollectingConsumer(std::vector<ir::Finding> &findings) : findings_(findings) {}

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *) override { language_ = options; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override;

private:
  ir::Finding &belongsTo(const ir::Finding &note);

  std::vector<ir::Finding> &findings_;
  clang::LangOptions language_;
};

} // namespace hetc::frontend
