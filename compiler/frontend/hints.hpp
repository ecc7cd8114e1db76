// What Clang's errors mean in a .tla: notes that say what to write, and one error in place of many where the header of
// the language is missing.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <memory>
#include <string>
#include <vector>

namespace hetc::frontend {

/// Passes diagnostics on and looks for mistakes of which hetc knows more than Clang says.
class HintingConsumer : public clang::DiagnosticConsumer {
public:
  struct Hint {
    clang::SourceLocation location;
    std::string text;
  };

  explicit HintingConsumer(std::unique_ptr<clang::DiagnosticConsumer> shown) : shown_(std::move(shown)) {}

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override;

  /// Shows what has been found: to be called when nothing more comes from the parser.
  void showHints(clang::DiagnosticsEngine &engine);

private:
  const std::unique_ptr<clang::DiagnosticConsumer> shown_;
  std::vector<Hint> hints_;
  clang::SourceLocation noHeader_; ///< the first use of `tla`, which nothing declares: all that follows comes of it
};

} // namespace hetc::frontend
