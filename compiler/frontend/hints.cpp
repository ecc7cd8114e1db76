#include "compiler/frontend/hints.hpp"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>

#include <utility>

namespace hetc::frontend {

namespace {

/// The source from here on.
llvm::StringRef textAt(clang::SourceLocation location, const clang::SourceManager &sources) {
  const auto [file, offset] = sources.getDecomposedExpansionLoc(location);
  return sources.getBufferData(file).substr(offset);
}

/// "1.0" of f(A(i, 1), 1.0): an argument of the call that is nothing but a number; with a point or an exponent, if one
/// is.
llvm::StringRef numberGiven(llvm::StringRef call) {
  const std::size_t open = call.find('(');
  llvm::StringRef found;
  int depth = 1;
  for (std::size_t begin = open + 1, at = begin; open != llvm::StringRef::npos && at < call.size() && depth; ++at) {
    const char c = call[at];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth > 1 || (depth == 1 && c != ','))
      continue;
    const llvm::StringRef argument = call.slice(begin, at).trim();
    const bool isNumber = argument.find_first_not_of("+-.0123456789eEfF") == llvm::StringRef::npos &&
                          argument.find_first_of("0123456789") != llvm::StringRef::npos;
    if (isNumber && (found.empty() || (argument.contains('.') && !found.contains('.'))))
      found = argument;
    begin = at + 1;
  }
  return found;
}

} // namespace

void HintingConsumer::BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *preprocessor) {
  shown_->BeginSourceFile(options, preprocessor);
}

void HintingConsumer::EndSourceFile() { shown_->EndSourceFile(); }

void HintingConsumer::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) {
  if (noHeader_.isValid())
    return;
  llvm::SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  if (diagnostic.getID() == clang::diag::err_undeclared_var_use && text.str().ends_with("'tla'")) {
    noHeader_ = diagnostic.getLocation();
    return;
  }
  clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic); // counts
  shown_->HandleDiagnostic(level, diagnostic);
  const bool isOperand = diagnostic.getID() == clang::diag::err_typecheck_invalid_operands ||
                         diagnostic.getID() == clang::diag::err_ovl_no_viable_oper;
  if (isOperand && text.str().contains("Tile<"))
    hints_.push_back({diagnostic.getLocation(),
                      "a tile has no value for control: what runs may depend on sizes, loop variables and scalar "
                      "parameters, never on elements; let a kernel look at them. An outermost loop may end by one: if "
                      "(tla::value(S) < limit) break;"});
  if (diagnostic.getID() == clang::diag::err_ovl_no_viable_function_in_call && diagnostic.hasSourceManager()) {
    const llvm::StringRef number = numberGiven(textAt(diagnostic.getLocation(), diagnostic.getSourceManager()));
    if (!number.empty())
      hints_.push_back({diagnostic.getLocation(), "numbers of the element type are written so: T(" + number.str() +
                                                      ") where the kernel takes a T, not " + number.str()});
  }
}

void HintingConsumer::showHints(clang::DiagnosticsEngine &engine) {
  using Engine = clang::DiagnosticsEngine;
  if (noHeader_.isValid()) {
    const clang::SourceLocation location = std::exchange(noHeader_, {});
    engine.Report(location, engine.getCustomDiagID(Engine::Error, "%0"))
        << "'tla' is not declared: a .tla begins with #include <tla/tla.hpp>";
  }
  // As stored ones: the engine shows no note of its own behind a warning that is switched off.
  for (const Hint &hint : std::exchange(hints_, {}))
    engine.Report(clang::StoredDiagnostic(Engine::Note, engine.getCustomDiagID(Engine::Note, "%0"), hint.text,
                                          clang::FullSourceLoc(hint.location, engine.getSourceManager()), {}, {}));
}

} // namespace hetc::frontend
