#include "compiler/frontend/limits.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <string>
#include <vector>

namespace hetc::frontend {

namespace {

/// Counts the tokens in which the parser may be nested.
class TokenCounter {
public:
  void count(const clang::Token &token) {
    if (ended_ && token.isNot(clang::tok::kw_else)) // of 'if {} else', which is one statement
      tokens_ = base();
    ended_ = false;
    if (token.is(clang::tok::comma) && brackets_ == 0 && isInList())
      tokens_ = base();
    ++tokens_;
    if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square))
      ++brackets_;
    else if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square))
      brackets_ -= brackets_ > 0;
    else if (token.is(clang::tok::l_brace))
      open();
    else if (token.is(clang::tok::r_brace))
      close();
    else
      ended_ = token.is(clang::tok::semi) && brackets_ == 0;
    isBeforeList_ =
        token.isOneOf(clang::tok::equal, clang::tok::comma) || (token.is(clang::tok::l_brace) && isInList());
  }
  unsigned tokens() const { return tokens_; }

private:
  struct Block {
    unsigned tokens, brackets; // before it
    bool isList;               // of initializers, which are beside and not in one another
  };
  unsigned base() const { return blocks_.empty() ? 0 : blocks_.back().tokens; }
  bool isInList() const { return !blocks_.empty() && blocks_.back().isList; }
  void open() {
    blocks_.push_back({tokens_, brackets_, isBeforeList_});
    brackets_ = 0;
  }
  void close() {
    if (blocks_.empty())
      return;
    tokens_ = blocks_.back().tokens;
    brackets_ = blocks_.back().brackets;
    blocks_.pop_back();
    ended_ = brackets_ == 0;
  }

  std::vector<Block> blocks_;
  unsigned tokens_ = 0, brackets_ = 0;
  bool ended_ = false;        // a statement, unless 'else' comes
  bool isBeforeList_ = false; // if a brace comes
};

void stop(clang::Preprocessor &preprocessor, const clang::Token &token) {
  clang::DiagnosticsEngine &engine = preprocessor.getDiagnostics();
  engine.Report(token.getLocation(), engine.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "%0"))
      << "this statement has more than " + std::to_string(maxStatementTokens) + " tokens";
  if (auto *lexer = static_cast<clang::Lexer *>(preprocessor.getCurrentFileLexer()))
    lexer->seek(static_cast<unsigned>(lexer->getBuffer().size()), /*IsAtStartOfLine=*/true);
}

} // namespace

void limitStatements(clang::Preprocessor &preprocessor) {
  preprocessor.setTokenWatcher([&preprocessor, counter = TokenCounter()](const clang::Token &token) mutable {
    counter.count(token);
    if (counter.tokens() > maxStatementTokens && token.isNot(clang::tok::eof))
      stop(preprocessor, token);
  });
}

} // namespace hetc::frontend
