#include "compiler/frontend/pragmas.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

namespace hetc::frontend {

namespace {

/// The pragma's text as one line of the same length: continuation backslashes and newlines become spaces, so that
/// offsets stay offsets into the source.
std::string flatten(llvm::StringRef text) {
  std::string flat = text.str();
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const bool continuation = flat[i] == '\\' && i + 1 < flat.size() && (flat[i + 1] == '\n' || flat[i + 1] == '\r');
    if (continuation || flat[i] == '\n' || flat[i] == '\r' || flat[i] == '\t')
      flat[i] = ' ';
  }
  return flat;
}

class TlaPragmaHandler : public clang::PragmaHandler {
public:
  explicit TlaPragmaHandler(std::vector<PragmaRecord> &records) : PragmaHandler("tla"), records_(records) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token &nameToken) override {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    const clang::SourceLocation text = nameToken.getEndLoc();
    clang::SourceLocation end = text, last = nameToken.getLocation();
    for (clang::Token token;;) {
      preprocessor.LexUnexpandedToken(token);
      if (token.is(clang::tok::eod))
        break;
      last = token.getLocation();
      end = token.getEndLoc();
    }
    const llvm::StringRef source = clang::Lexer::getSourceText(clang::CharSourceRange::getCharRange(text, end), sources,
                                                               preprocessor.getLangOpts());
    PragmaRecord record{introducer.Loc, text, {}, {}};
    if (!parse(preprocessor, record, flatten(source)))
      return;
    if (auto next = clang::Lexer::findNextToken(last, sources, preprocessor.getLangOpts());
        next && next->isNot(clang::tok::eof))
      record.target = next->getLocation();
    records_.push_back(std::move(record));
  }

private:
  static bool parse(clang::Preprocessor &preprocessor, PragmaRecord &record, const std::string &text) {
    auto parsed = annotations::parseAnnotation(text);
    if (auto *annotation = std::get_if<annotations::Annotation>(&parsed)) {
      record.annotation = std::move(*annotation);
      return true;
    }
    const auto &error = std::get<annotations::SyntaxError>(parsed);
    clang::DiagnosticsEngine &engine = preprocessor.getDiagnostics();
    const unsigned id = engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    auto builder = engine.Report(record.at(error.offset), id);
    builder << error.message;
    const auto range =
        clang::CharSourceRange::getCharRange(record.at(error.offset), record.at(error.offset + error.length));
    if (error.length)
      builder << range;
    if (error.replacement)
      builder << clang::FixItHint::CreateReplacement(range, *error.replacement);
    return false;
  }

  std::vector<PragmaRecord> &records_;
};

/// '#pragma once' in the main file, which Clang ignores there: a .tla that includes another may be included by it.
class OnceInMainFile : public clang::PPCallbacks {
public:
  explicit OnceInMainFile(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void PragmaDirective(clang::SourceLocation location, clang::PragmaIntroducerKind) override {
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    if (!sources.isInMainFile(location))
      return;
    llvm::StringRef text(sources.getCharacterData(location)); // a buffer ends with a null character
    text.consume_front("#");
    text = text.ltrim(" \t");
    text.consume_front("pragma");
    if (text.ltrim(" \t").starts_with("once"))
      preprocessor_.getHeaderSearchInfo().MarkFileIncludeOnce(*sources.getFileEntryRefForID(sources.getMainFileID()));
  }

private:
  clang::Preprocessor &preprocessor_;
};

} // namespace

void collectPragmas(clang::Preprocessor &preprocessor, std::vector<PragmaRecord> &records) {
  preprocessor.AddPragmaHandler(new TlaPragmaHandler(records)); // the preprocessor owns it
  preprocessor.addPPCallbacks(std::make_unique<OnceInMainFile>(preprocessor));
}

} // namespace hetc::frontend
