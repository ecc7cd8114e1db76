// What statements and declarations of the text form are made of, besides expressions: words, lists, places.
#pragma once

#include "compiler/ir/spelling.hpp"
#include "tests/ir_text/expr_parser.hpp"

#include <array>
#include <limits>

namespace hetc::ir {

class WordParser : public ExprParser {
public:
  using ExprParser::ExprParser;

protected:
  void expectWord(std::string_view word) {
    if (!acceptWord(word))
      failExpected(quoted(word));
  }

  /// Calls parseItem for each item of '(' [item {',' item}] ')'.
  template <typename ParseItem> void parseList(ParseItem &&parseItem) {
    expect("(");
    if (accept(")"))
      return;
    do
      parseItem();
    while (accept(","));
    expect(")", "to close the list");
  }

  std::vector<std::string> parseNames() {
    std::vector<std::string> names;
    parseList([&] { names.push_back(expectIdentifier("a name")); });
    return names;
  }

  std::vector<ExprRef> parseExprs() {
    std::vector<ExprRef> exprs;
    parseList([&] { exprs.push_back(parseExpr()); });
    return exprs;
  }

  ElementType parseElementType() {
    const Token &token = peek();
    if (isIdentifier() && token.text.size() == 1)
      if (const std::optional<ElementType> type = elementTypeFromLetter(token.text.front())) {
        take();
        return *type;
      }
    failExpected("an element type, one of s, d, c, z, i");
    return ElementType::D;
  }

  /// One of a table's words; `what` names the table in the error.
  template <typename Enum, std::size_t count>
  Enum parseWordOf(const std::array<std::string_view, count> &names, std::string_view what) {
    const std::optional<Enum> value = isIdentifier() ? fromSpelling<Enum>(names, peek().text) : std::nullopt;
    if (value)
      take();
    else
      failExpected(what);
    return value.value_or(Enum());
  }

  unsigned parseUnsigned(std::string_view what) {
    const Token token = peek();
    const std::int64_t value = expectInteger(what);
    if (value > std::numeric_limits<unsigned>::max())
      fail(token, quoted(token.text) + " is too large");
    return static_cast<unsigned>(value);
  }

  // [string ':'] line ':' column
  Location parsePosition() {
    Location location;
    if (peek().kind == Token::Kind::String) {
      location.file = take().text;
      expect(":", "after the file name");
    }
    location.line = parseUnsigned("a line number");
    expect(":", "after the line number");
    location.column = parseUnsigned("a column number");
    return location;
  }

  // ['@' position]
  Location parseLocation() { return accept("@") ? parsePosition() : Location(); }
};

} // namespace hetc::ir
