#include "tests/ir_text/lexer.hpp"

namespace hetc::ir {

namespace {
constexpr std::string_view twoCharacterPunctuators[] = {"::", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+="};
constexpr std::string_view punctuators = "(){}<>,;:.=?@+-*/%!";

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::variant<std::vector<Token>, ParseError> run() {
    std::vector<Token> tokens;
    do {
      skipBlanks();
      Token token{Token::Kind::End, {}, line_, column_};
      std::string error = read(token);
      if (!error.empty())
        return ParseError{token.line, token.column, std::move(error)};
      tokens.push_back(std::move(token));
    } while (tokens.back().kind != Token::Kind::End);
    return tokens;
  }

private:
  bool atEnd() const { return position_ == text_.size(); }
  char current() const { return text_[position_]; }
  bool sees(std::string_view word) const { return text_.substr(position_).starts_with(word); }

  void advance() {
    ++column_;
    if (text_[position_++] == '\n') {
      ++line_;
      column_ = 1;
    }
  }

  template <typename Predicate> std::string takeWhile(Predicate &&predicate) {
    const std::size_t start = position_;
    while (!atEnd() && predicate(current()))
      advance();
    return std::string(text_.substr(start, position_ - start));
  }

  void skipBlanks() {
    for (;;) {
      takeWhile(isBlank);
      if (!sees("//"))
        return;
      takeWhile([](char c) { return c != '\n'; });
    }
  }

  /// Reads one token; returns what is wrong with it, or nothing.
  std::string read(Token &token) {
    if (atEnd())
      return {};
    const bool startsNumber =
        isDigit(current()) || (current() == '.' && position_ + 1 < text_.size() && isDigit(text_[position_ + 1]));
    if (isLetter(current())) {
      token.kind = Token::Kind::Identifier;
      token.text = takeWhile([](char c) { return isLetter(c) || isDigit(c); });
    } else if (startsNumber)
      readNumber(token);
    else if (current() == '"')
      return readString(token);
    else
      return readPunctuator(token);
    return {};
  }

  /// C++'s preprocessing number: a sign belongs to it after an exponent's letter.
  void readNumber(Token &token) {
    token.kind = Token::Kind::Number;
    const bool hexadecimal = sees("0x") || sees("0X");
    char last = 0;
    token.text = takeWhile([&](char c) {
      const bool exponent = hexadecimal ? last == 'p' || last == 'P' : last == 'e' || last == 'E';
      const bool taken = isLetter(c) || isDigit(c) || c == '.' || ((c == '+' || c == '-') && exponent);
      last = c;
      return taken;
    });
  }

  std::string readString(Token &token) {
    token.kind = Token::Kind::String;
    for (advance(); !atEnd() && current() != '\n'; advance()) {
      if (current() == '"') {
        advance();
        return {};
      }
      if (current() != '\\') {
        token.text += current();
        continue;
      }
      advance();
      if (atEnd() || std::string_view("\"\\nt").find(current()) == std::string_view::npos)
        return "unknown escape in a string; known are \\\", \\\\, \\n, \\t";
      token.text += current() == 'n' ? '\n' : current() == 't' ? '\t' : current();
    }
    return "a string does not end on its line";
  }

  std::string readPunctuator(Token &token) {
    token.kind = Token::Kind::Punctuator;
    for (std::string_view two : twoCharacterPunctuators)
      if (sees(two)) {
        advance();
        advance();
        token.text = std::string(two);
        return {};
      }
    if (punctuators.find(current()) == std::string_view::npos)
      return "unexpected character";
    token.text = std::string(1, current());
    advance();
    return {};
  }

  std::string_view text_;
  std::size_t position_ = 0;
  unsigned line_ = 1, column_ = 1;
};
} // namespace

std::variant<std::vector<Token>, ParseError> tokenize(std::string_view text) { return Lexer(text).run(); }

} // namespace hetc::ir
