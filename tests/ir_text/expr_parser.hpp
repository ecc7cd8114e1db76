// Recursive descent over the IR's tokens: the part for expressions, and what the program parser shares with it. The
// first error wins and moves to the end of the tokens, where every rule stops by itself; no rule needs to test for it.
#pragma once

#include "compiler/ir/expr_properties.hpp"
#include "tests/ir_text/lexer.hpp"

#include <algorithm>
#include <optional>

namespace hetc::ir {

class ExprParser {
public:
  explicit ExprParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  ExprRef parseExpr();
  /// Nothing may follow.
  void parseEnd();

  bool failed() const { return error_.has_value(); }
  ParseError takeError() { return std::move(*error_); }

protected:
  const Token &peek(std::size_t ahead = 0) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }
  Token take();
  bool isPunctuator(std::string_view text, std::size_t ahead = 0) const;
  bool isWord(std::string_view text, std::size_t ahead = 0) const;
  bool isIdentifier(std::size_t ahead = 0) const { return peek(ahead).kind == Token::Kind::Identifier; }
  /// Consumes the token when it is the one asked for.
  bool accept(std::string_view punctuator);
  bool acceptWord(std::string_view word);
  /// Consumes the token asked for, or fails; `after` completes "expected ')' ..." in the message.
  void expect(std::string_view punctuator, std::string_view after = {});
  std::string expectIdentifier(std::string_view what);
  std::string expectString(std::string_view what);
  std::int64_t expectInteger(std::string_view what);

  void fail(const Token &at, std::string message);
  /// Fails with "expected <what>, found <the token>".
  void failExpected(std::string_view what);

  static std::string quoted(std::string_view word) { return std::string("'").append(word).append("'"); }

  /// Nesting is bounded, so that no input exhausts the stack; also that of whoever walks the tree later.
  class Nesting {
  public:
    explicit Nesting(ExprParser &parser);
    ~Nesting() { --parser_.depth_; }

  private:
    ExprParser &parser_;
  };

private:
  ExprRef parseSelect();
  ExprRef parseBinary(int atLeast);
  ExprRef parseUnary();
  ExprRef parsePrimary();
  ExprRef parseNumber(bool negative);
  ExprRef parseMinMax();
  ExprRef parseCast();
  ExprRef parseName();

  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  unsigned depth_ = 0;
  unsigned operators_ = 0; ///< operators so far in the expression being parsed
  std::optional<ParseError> error_;
};

} // namespace hetc::ir
