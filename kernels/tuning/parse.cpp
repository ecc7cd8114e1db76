// The grammar of .space files. Expressions are those of '#pragma tla', parsed by the same code.
#include "dsl/annotations/grammar.hpp"
#include "dsl/annotations/suggest.hpp"
#include "kernels/tuning/statement.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace hetc::tuning {

namespace {
namespace x3 = boost::spirit::x3;
using annotations::ExpressionParser;
using annotations::Iterator;
using annotations::letter;
using annotations::letterOrDigit;
using annotations::Punctuator;
using annotations::SyntaxError;
using x3::_attr;
using x3::_val;

constexpr std::array<std::string_view, 8> keywords{"kernel", "param", "iter",        "let",
                                                   "hard",   "soft",  "correctness", "default"};
constexpr std::array<std::string_view, 7> others{"from", "to", "step", "in", "min", "max", "gcd"};

template <typename Context> Word wordOf(const Context &context) {
  const auto &range = _attr(context);
  return {std::string(range.begin(), range.end()), annotations::offsetOf(range.begin(), context)};
}

const auto setWord = [](auto &context) { _val(context) = wordOf(context); };

/// An identifier; `what` is expected when there is none.
auto word(const char *what) {
  return x3::rule<struct WordId, Word>(what) = x3::raw[x3::lexeme[letter >> *letterOrDigit]][setWord];
}
auto keyword(std::string_view text) { return x3::raw[x3::lexeme[x3::string(std::string(text)) >> !letterOrDigit]]; }

const auto setKeyword = [](auto &context) { _val(context).keyword = wordOf(context); };
const auto setName = [](auto &context) {
  const Word &name = _attr(context);
  if (isReserved(name.text))
    throw SyntaxError{name.offset,
                      static_cast<unsigned>(name.text.size()),
                      "'" + name.text + "' is a word of the language and cannot be a name",
                      {}};
  _val(context).name = name;
};
const auto addValue = [](auto &context) { _val(context).values.push_back(std::move(_attr(context))); };
const auto setTo = [](auto &context) { _val(context).to = std::move(_attr(context)); };
const auto setStep = [](auto &context) { _val(context).step = std::move(_attr(context)); };
const auto setList = [](auto &context) { _val(context).isList = true; };
auto opening(std::string_view text) { return keyword(text)[setKeyword]; }
const auto unknownStatement = [](auto &context) {
  const Word &found = _attr(context);
  throw annotations::unknownWord("statement", found.text, found.offset, keywords);
};

const auto expression = ExpressionParser();
const auto name = word("a name")[setName];

// 'to' and 'step' are no operators, so that an expression ends before them.
const auto range = keyword("from") > expression[addValue] > -(keyword("to") > expression[setTo]) >
                   -(keyword("step") > expression[setStep]);
const auto values = keyword("in")[setList] > annotations::list(expression[addValue]);
const auto value = Punctuator('=', "between a name and its value") > expression[addValue];
const auto condition = Punctuator(':', "between a constraint's name and its condition") > expression[addValue];

const auto definition = (opening("param") | opening("let") | opening("default")) > name > value;
const auto from = x3::rule<struct FromId>("'from' or 'in' after the iterator's name") =
    &(keyword("from") | keyword("in"));
const auto iterator = opening("iter") > name > from > (range | values);
const auto constraint = (opening("hard") | opening("soft") | opening("correctness")) > name > condition;
const auto kernel = opening("kernel") > name;

const auto statement = x3::rule<struct StatementId, Statement>("a statement") =
    kernel | definition | iterator | constraint | word("a statement")[unknownStatement];

const auto end = x3::rule<struct EndId>("an operator or a statement") = x3::eoi;
const auto addStatement = [](auto &context) { _val(context).push_back(std::move(_attr(context))); };
const auto file = x3::rule<struct FileId, std::vector<Statement>>("statements") = *statement[addStatement] > end;

/// Comments become blanks, so that offsets stay.
std::string withoutComments(std::string_view text) {
  std::string result(text);
  for (std::size_t at = result.find("//"); at != std::string::npos; at = result.find("//", at)) {
    const std::size_t end = std::min(result.find('\n', at), result.size());
    std::fill(result.begin() + at, result.begin() + end, ' ');
  }
  return result;
}

bool isKeyword(std::string_view word) { return std::ranges::find(keywords, word) != keywords.end(); }

/// The recursion of the parser, and of what reads its result, is bounded by what this lets pass.
std::optional<SyntaxError> findExcess(std::string_view text) {
  constexpr unsigned maxLength = 32768, maxDepth = 100;
  if (text.size() > maxLength)
    return SyntaxError{maxLength, 0, "the file is longer than " + std::to_string(maxLength) + " characters", {}};
  unsigned parentheses = 0, signs = 0, branches = 0;
  for (std::size_t index = 0, wordBegin = 0; index < text.size(); ++index) {
    const char c = text[index];
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      signs = 0;
      continue;
    }
    if (isKeyword(text.substr(wordBegin, index - wordBegin)))
      parentheses = branches = 0;
    wordBegin = index + 1;
    parentheses += c == '(';
    parentheses -= c == ')' && parentheses > 0;
    branches += c == '?';
    signs = c == '-' || c == '!' ? signs + 1 : std::isspace(static_cast<unsigned char>(c)) ? signs : 0;
    if (std::max({parentheses, signs, branches}) > maxDepth)
      return SyntaxError{static_cast<unsigned>(index), 1, "the expression is nested too deep", {}};
  }
  return std::nullopt;
}
} // namespace

bool isReserved(std::string_view word) { return isKeyword(word) || std::ranges::find(others, word) != others.end(); }

std::variant<std::vector<Statement>, SyntaxError> parseStatements(std::string_view original) {
  const std::string text = withoutComments(original);
  if (std::optional<SyntaxError> excess = findExcess(text))
    return std::move(*excess);
  const Iterator begin = text.data(), last = begin + text.size();
  Iterator first = begin;
  std::vector<Statement> result;
  try {
    x3::phrase_parse(first, last, x3::with<annotations::BeginTag>(begin)[file], annotations::skipper, result);
    return result;
  } catch (const x3::expectation_failure<Iterator> &failure) {
    Iterator where = failure.where();
    x3::parse(where, last, *annotations::skipper);
    return SyntaxError{static_cast<unsigned>(where - begin), 0, "expected " + failure.which(), {}};
  } catch (SyntaxError &error) {
    return std::move(error);
  }
}

} // namespace hetc::tuning
