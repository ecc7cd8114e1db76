#include "tests/ir_text/expr_parser.hpp"

#include <charconv>

namespace hetc::ir {

namespace {
std::string describe(const Token &token) {
  switch (token.kind) {
  case Token::Kind::End:
    return "the end of the text";
  case Token::Kind::String:
    return "a string";
  default:
    return "'" + token.text + "'";
  }
}

std::optional<Extent> extentFromName(std::string_view word) {
  for (Extent extent :
       {Extent::Mt,          Extent::Nt,        Extent::M,          Extent::N,          Extent::Mb,
        Extent::Nb,          Extent::P,         Extent::Q,          Extent::Ns,         Extent::SliceBegin,
        Extent::SliceCols,   Extent::Has,       Extent::DealtParts, Extent::DealtCount, Extent::DealtRow,
        Extent::DealtColumn, Extent::DealtStep, Extent::DealtPart,  Extent::DealtHome,  Extent::DealtOpens,
        Extent::DealtCloses, Extent::DealtJoins})
    if (word == name(extent))
      return extent;
  return std::nullopt;
}

/// The value of a decimal literal, as the magnitude of a negative number when `negative`.
std::optional<std::int64_t> parseInteger(const std::string &digits, bool negative) {
  const std::string text = negative ? "-" + digits : digits;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}
} // namespace

Token ExprParser::take() {
  const Token &token = peek();
  if (next_ + 1 < tokens_.size())
    ++next_;
  return token;
}

bool ExprParser::isPunctuator(std::string_view text, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::Punctuator && peek(ahead).text == text;
}

bool ExprParser::isWord(std::string_view text, std::size_t ahead) const {
  return isIdentifier(ahead) && peek(ahead).text == text;
}

bool ExprParser::accept(std::string_view punctuator) {
  const bool accepted = isPunctuator(punctuator);
  if (accepted)
    take();
  return accepted;
}

bool ExprParser::acceptWord(std::string_view word) {
  const bool accepted = isWord(word);
  if (accepted)
    take();
  return accepted;
}

void ExprParser::expect(std::string_view punctuator, std::string_view after) {
  if (!accept(punctuator))
    failExpected(quoted(punctuator).append(after.empty() ? "" : " ").append(after));
}

std::string ExprParser::expectIdentifier(std::string_view what) {
  if (isIdentifier())
    return take().text;
  failExpected(what);
  return {};
}

std::string ExprParser::expectString(std::string_view what) {
  if (peek().kind == Token::Kind::String)
    return take().text;
  failExpected(what);
  return {};
}

std::int64_t ExprParser::expectInteger(std::string_view what) {
  if (peek().kind == Token::Kind::Number)
    if (const std::optional<std::int64_t> value = parseInteger(peek().text, false)) {
      take();
      return *value;
    }
  failExpected(what);
  return 0;
}

void ExprParser::fail(const Token &at, std::string message) {
  if (!error_)
    error_ = ParseError{at.line, at.column, std::move(message)};
  next_ = tokens_.size() - 1;
}

void ExprParser::failExpected(std::string_view what) {
  fail(peek(), "expected " + std::string(what) + ", found " + describe(peek()));
}

ExprParser::Nesting::Nesting(ExprParser &parser) : parser_(parser) {
  if (++parser.depth_ > maxNesting)
    parser.fail(parser.peek(), "nested more than " + std::to_string(maxNesting) + " deep");
}

void ExprParser::parseEnd() {
  if (peek().kind != Token::Kind::End)
    failExpected("the end of the text");
}

ExprRef ExprParser::parseExpr() {
  operators_ = 0;
  return parseSelect();
}

ExprRef ExprParser::parseSelect() {
  const Nesting nesting(*this);
  ExprRef condition = parseBinary(tla::OrLevel);
  if (!accept("?"))
    return condition;
  ExprRef then = parseSelect();
  expect(":", "between the branches of '?'");
  return makeSelect(std::move(condition), std::move(then), parseSelect());
}

ExprRef ExprParser::parseBinary(int atLeast) {
  ExprRef left = parseUnary();
  for (;;) {
    const tla::InfixOperator *infix = peek().kind == Token::Kind::Punctuator ? tla::findInfix(peek().text) : nullptr;
    if (!infix || infix->precedence < atLeast)
      return left;
    if (++operators_ > maxOperators)
      fail(peek(), "more than " + std::to_string(maxOperators) + " operators in one expression");
    take();
    left = makeBinary(kindOf(infix->op), std::move(left), parseBinary(infix->precedence + 1));
  }
}

ExprRef ExprParser::parseUnary() {
  const Nesting nesting(*this);
  if (accept("!"))
    return makeUnary(ExprKind::Not, parseUnary());
  if (!accept("-"))
    return parsePrimary();
  if (peek().kind == Token::Kind::Number)
    return parseNumber(true);
  return makeUnary(ExprKind::Neg, parseUnary());
}

ExprRef ExprParser::parsePrimary() {
  if (peek().kind == Token::Kind::Number)
    return parseNumber(false);
  if (accept("(")) {
    ExprRef inner = parseSelect();
    expect(")");
    return inner;
  }
  if (!isIdentifier()) {
    failExpected("an expression");
    return makeInt(0);
  }
  if (isWord("min") || isWord("max"))
    return parseMinMax();
  // A matrix may be called T, as the triangular factors of QR are; T.nt() is then its extent.
  return isCastTypeWord(peek().text) && !isPunctuator(".", 1) ? parseCast() : parseName();
}

ExprRef ExprParser::parseNumber(bool negative) {
  const Token token = take();
  if (const std::optional<std::int64_t> value = parseInteger(token.text, negative))
    return makeInt(*value);
  if (!isRealLiteral(token.text))
    fail(token, quoted(token.text) + " is neither an integer nor a real literal");
  ExprRef real = makeReal(token.text);
  return negative ? makeUnary(ExprKind::Neg, std::move(real)) : real;
}

ExprRef ExprParser::parseMinMax() {
  const ExprKind kind = take().text == "min" ? ExprKind::Min : ExprKind::Max;
  expect("(");
  ExprRef left = parseSelect();
  expect(",", "between the operands");
  ExprRef right = parseSelect();
  expect(")");
  return makeBinary(kind, std::move(left), std::move(right));
}

ExprRef ExprParser::parseCast() {
  std::string type = take().text;
  while (isIdentifier() && isCastTypeWord(peek().text))
    type.append(" ").append(take().text);
  expect("(", "after the type '" + type + "'");
  ExprRef operand = parseSelect();
  expect(")");
  return makeCast(std::move(type), std::move(operand));
}

ExprRef ExprParser::parseName() {
  const std::string word = take().text;
  if (const std::optional<std::int64_t> value = enumeratorValue(word))
    return makeEnum(word, *value);
  if (!accept("."))
    return makeVar(word);
  const std::optional<Extent> extent = extentFromName(peek().text);
  if (!isIdentifier() || !extent) {
    failExpected("one of mt, nt, m, n, mb, nb, ns, sliceBegin, sliceCols, has after '" + word + ".'");
    return makeInt(0);
  }
  take();
  expect("(");
  ExprRef argument = argumentCount(*extent) > 0 ? parseSelect() : nullptr;
  if (argumentCount(*extent) == 2) {
    expect(",");
    ExprRef second = parseSelect();
    expect(")");
    return makeExtent(word, *extent, std::move(argument), std::move(second));
  }
  expect(")");
  return argument ? makeExtent(word, *extent, std::move(argument)) : makeExtent(word, *extent);
}

std::variant<ExprRef, ParseError> parseExpr(std::string_view text) {
  auto tokens = tokenize(text);
  if (auto *error = std::get_if<ParseError>(&tokens))
    return std::move(*error);
  ExprParser parser(std::move(std::get<std::vector<Token>>(tokens)));
  ExprRef result = parser.parseExpr();
  parser.parseEnd();
  if (parser.failed())
    return parser.takeError();
  return result;
}

} // namespace hetc::ir
