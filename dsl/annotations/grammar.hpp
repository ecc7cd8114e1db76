// What the grammars of this folder share. Private: includes Boost.Spirit.
//
// Errors: an expectation point (x3's operator>) names what it wanted through the name of the rule or punctuator behind
// it, and becomes "expected <name>"; semantic actions throw a SyntaxError for words that are well formed but wrong.
#pragma once

#include "dsl/annotations/annotation.hpp"

#include <boost/spirit/home/x3.hpp>

namespace hetc::annotations {

namespace x3 = boost::spirit::x3;
using Iterator = const char *;

/// Blanks; a backslash before the end of a line joins lines, as the preprocessor does.
inline const auto skipper = x3::ascii::space | (x3::lit('\\') >> x3::eol);

struct BeginTag; ///< context: the Iterator where the annotation's text begins

template <typename Context> unsigned offsetOf(Iterator position, const Context &context) {
  return static_cast<unsigned>(position - x3::get<BeginTag>(context));
}

/// A punctuator that says in errors what it is for: "')' to close 'priority('".
struct Punctuator : x3::parser<Punctuator> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  explicit Punctuator(char character) : Punctuator(character, {}) {}
  Punctuator(char character, const std::string &purpose) : character(character), name({'\'', character, '\''}) {
    if (!purpose.empty())
      name.append(" ").append(purpose);
  }

  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RContext &, Attribute &) const {
    x3::skip_over(first, last, context);
    const bool matches = first != last && *first == character;
    first += matches;
    return matches;
  }

  char character;
  std::string name;
};

inline const auto letter = x3::ascii::alpha | x3::ascii::char_('_');
inline const auto letterOrDigit = x3::ascii::alnum | x3::ascii::char_('_');

/// item {',' item}
template <typename Item> auto list(const Item &item) { return item >> *(Punctuator(',') > item); }

/// Parses an expression from `first` on; the grammar is in a file of its own, behind this function, so that its
/// templates are compiled once. Throws x3::expectation_failure<Iterator>.
bool parseExpression(Iterator begin, Iterator &first, Iterator last, Expr &result);

/// Makes parseExpression() a part of other grammars.
struct ExpressionParser : x3::parser<ExpressionParser> {
  using attribute_type = Expr;
  static constexpr bool has_attribute = true;

  template <typename Context, typename RContext>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RContext &, Expr &result) const {
    return parseExpression(x3::get<BeginTag>(context), first, last, result);
  }
  template <typename Context, typename RContext>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RContext &, x3::unused_type) const {
    Expr ignored;
    return parseExpression(x3::get<BeginTag>(context), first, last, ignored);
  }
};

} // namespace hetc::annotations

namespace boost::spirit::x3 {
template <> struct get_info<hetc::annotations::Punctuator> {
  using result_type = std::string;
  std::string operator()(const hetc::annotations::Punctuator &punctuator) const { return punctuator.name; }
};
template <> struct get_info<hetc::annotations::ExpressionParser> {
  using result_type = std::string;
  std::string operator()(const hetc::annotations::ExpressionParser &) const { return "an expression"; }
};

// X3 names only rules and literals in an expectation's failure; these name what wraps one after it.
template <typename Subject, typename Action> struct get_info<action<Subject, Action>> {
  using result_type = std::string;
  std::string operator()(const action<Subject, Action> &parser) const { return what(parser.subject); }
};
template <typename Subject> struct get_info<and_predicate<Subject>> {
  using result_type = std::string;
  std::string operator()(const and_predicate<Subject> &parser) const { return what(parser.subject); }
};
template <typename Left, typename Right> struct get_info<sequence<Left, Right>> {
  using result_type = std::string;
  std::string operator()(const sequence<Left, Right> &parser) const { return what(parser.left); }
};
} // namespace boost::spirit::x3
