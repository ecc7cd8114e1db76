#include "compiler/frontend/collect.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>

namespace hetc::frontend {

namespace {

using Severity = ir::Diagnostic::Severity;
using Engine = clang::DiagnosticsEngine;

Severity severityOf(Engine::Level level) {
  switch (level) {
  case Engine::Note:
    return Severity::Note;
  case Engine::Remark:
    return Severity::Remark;
  case Engine::Warning:
    return Severity::Warning;
  default:
    return Severity::Error;
  }
}

class Regions {
public:
  Regions(const clang::SourceManager &sources, const clang::LangOptions &language)
      : sources_(sources), language_(language) {}

  ir::SourceRange between(clang::SourceLocation begin, clang::SourceLocation end) const {
    const clang::PresumedLoc from = sources_.getPresumedLoc(begin), to = sources_.getPresumedLoc(end);
    if (from.isInvalid() || to.isInvalid())
      return {};
    return {from.getFilename(), from.getLine(), from.getColumn(), to.getLine(), to.getColumn()};
  }

  /// From a place to the end of its token.
  ir::SourceRange tokenAt(clang::SourceLocation location) const {
    const clang::SourceLocation begin = sources_.getExpansionLoc(location);
    return between(
        begin, begin.getLocWithOffset(static_cast<int>(clang::Lexer::MeasureTokenLength(begin, sources_, language_))));
  }

  ir::SourceRange of(const clang::CharSourceRange &range) const {
    const clang::CharSourceRange file = clang::Lexer::makeFileCharRange(range, sources_, language_);
    return file.isValid() ? between(file.getBegin(), file.getEnd()) : ir::SourceRange();
  }

private:
  const clang::SourceManager &sources_;
  const clang::LangOptions &language_;
};

} // namespace

void CollectingConsumer::HandleDiagnostic(Engine::Level level, const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic); // counts
  ir::Finding finding;
  finding.severity = severityOf(level);
  llvm::SmallString<256> text;
  diagnostic.FormatDiagnostic(text);
  finding.message = text.str().str();
  if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
    const Regions regions(diagnostic.getSourceManager(), language_);
    finding.region = regions.tokenAt(diagnostic.getLocation());
    for (const clang::FixItHint &hint : diagnostic.getFixItHints())
      if (const ir::SourceRange region = regions.of(hint.RemoveRange); !region.file.empty())
        finding.fixes.push_back({region, hint.CodeToInsert});
  }
  const bool isNote = finding.severity == Severity::Note && !findings_.empty();
  (isNote ? belongsTo(finding).notes : findings_).push_back(std::move(finding));
}

/// The last finding, except hints, which come at the end: the one at the same place.
ir::Finding &CollectingConsumer::belongsTo(const ir::Finding &note) {
  const auto isThere = [&](const ir::Finding &finding) {
    const ir::SourceRange &at = finding.region, &wanted = note.region;
    return at.line && at.file == wanted.file && at.line == wanted.line && at.column == wanted.column;
  };
  const auto found = std::find_if(findings_.rbegin(), findings_.rend(), isThere);
  return found == findings_.rend() ? findings_.back() : *found;
}

} // namespace hetc::frontend
