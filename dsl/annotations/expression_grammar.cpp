#include "dsl/annotations/grammar.hpp"

namespace hetc::annotations {

namespace {
using x3::_attr;
using x3::_val;
using Kind = Expr::Kind;

// Actions. Each builds on the value of its rule, which starts as the first operand.
const auto here = [](auto &context) { _val(context).offset = offsetOf(x3::_where(context).begin(), context); };
const auto operand = [](auto &context) { _val(context) = std::move(_attr(context)); };
const auto parenthesized = [](auto &context) { // starts at its parenthesis
  _attr(context).offset = _val(context).offset;
  _val(context) = std::move(_attr(context));
};
const auto addOperand = [](auto &context) { _val(context).operands.push_back(std::move(_attr(context))); };
const auto setText = [](auto &context) {
  _val(context).text = std::string(_attr(context).begin(), _attr(context).end());
};
template <Kind kind> const auto setKind = [](auto &context) { _val(context).kind = kind; };

/// The value so far becomes the first operand of a new node; the text is the parser's.
template <Kind kind>
const auto wrap = [](auto &context) {
  Expr node{kind, {}, {}, _val(context).offset};
  if constexpr (kind != Kind::Select)
    node.text = std::string(_attr(context).begin(), _attr(context).end());
  node.operands.push_back(std::move(_val(context)));
  _val(context) = std::move(node);
};

/// Without this "2 .m()" would be read, and printed as "2.m()", which starts with the number "2.".
const auto requireObject = [](auto &context) {
  if (const Expr &object = _val(context); object.kind == Kind::Number)
    throw SyntaxError{
        object.offset, static_cast<unsigned>(object.text.size()), "the number " + object.text + " has no members", {}};
};

struct ExpressionId;
struct OrId;
struct AndId;
struct EqualityId;
struct RelationalId;
struct AdditiveId;
struct MultiplicativeId;
struct UnaryId;
struct PostfixId;
struct PrimaryId;

template <typename Id> using Rule = x3::rule<Id, Expr>;
const Rule<ExpressionId> expression = "an expression";
const Rule<UnaryId> unary = "an expression";

const auto identifier = x3::rule<struct IdentifierId, std::string>("a name") =
    x3::raw[x3::lexeme[letter >> *letterOrDigit]];

const auto digits = +x3::ascii::digit;
const auto exponent = x3::ascii::char_("eE") >> -x3::ascii::char_("+-") >> digits;
const auto mantissa = (digits >> -('.' >> *x3::ascii::digit)) | ('.' >> digits);
const auto number = x3::rule<struct NumberId, std::string>("a number such as 2, 0.5 or 1e-3") =
    x3::raw[x3::lexeme[mantissa >> -exponent >> !(letterOrDigit | '.')]];
const auto startsNumber = x3::ascii::digit | ('.' >> x3::ascii::digit);

const auto arguments = Punctuator('(') >> -list(expression[addOperand]) > Punctuator(')', "to close the arguments");

// primary = number | name ['(' arguments ')'] | '(' expression ')'
const auto primary = Rule<PrimaryId>("an expression") =
    x3::eps[here] >> ((&startsNumber > number[setText]) |
                      (identifier[setText] >> x3::eps[setKind<Kind::Name>] >>
                       -(&Punctuator('(') >> x3::eps[setKind<Kind::Call>] >> arguments)) |
                      (Punctuator('(') > expression[parenthesized] > Punctuator(')', "to close '('")));

const auto memberName = x3::rule<struct MemberNameId, std::string>("the name of a member after '.'") = identifier;
const auto openMember = Punctuator('(', "to call the member");

// postfix = primary {'.' name '(' arguments ')'}
const auto postfix = Rule<PostfixId>("an expression") = primary[operand] >>
                                                        *(Punctuator('.') >> x3::eps[requireObject] >
                                                          memberName[wrap<Kind::Member>] > &openMember > arguments);

// unary = ('-' | '!') unary | postfix; "--" is C++'s decrement, which has no place here
const auto unarySign = x3::raw[x3::lexeme[(x3::lit('-') >> !x3::lit('-')) | (x3::lit('!') >> !x3::lit('='))]];
const auto unary_def =
    (x3::eps[here] >> unarySign[setText] >> x3::eps[setKind<Kind::Unary>] > unary[addOperand]) | postfix[operand];

/// level = next {operator next}, grouped from the left.
template <typename Id, typename Next, typename Operator> auto level(const Next &next, const Operator &infix) {
  return Rule<Id>("an expression") = next[operand] >> *(x3::raw[infix][wrap<Kind::Binary>] > next[addOperand]);
}

const auto multiplicative = level<MultiplicativeId>(unary, x3::ascii::char_("*/%"));
const auto additive = level<AdditiveId>(multiplicative, x3::ascii::char_("+-"));
const auto relational = level<RelationalId>(additive, x3::lexeme[x3::ascii::char_("<>") >> -x3::lit('=')]);
const auto equality = level<EqualityId>(relational, x3::string("==") | x3::string("!="));
const auto conjunction = level<AndId>(equality, x3::string("&&"));
const auto disjunction = level<OrId>(conjunction, x3::string("||"));

// expression = disjunction ['?' expression ':' expression]
const auto expression_def = disjunction[operand] >>
                            -(Punctuator('?')[wrap<Kind::Select>] > expression[addOperand] >
                              Punctuator(':', "between the branches of '?'") > expression[addOperand]);

BOOST_SPIRIT_DEFINE(expression, unary)
} // namespace

bool parseExpression(Iterator begin, Iterator &first, Iterator last, Expr &result) {
  return x3::phrase_parse(first, last, x3::with<BeginTag>(begin)[expression], skipper, result,
                          x3::skip_flag::dont_post_skip);
}

} // namespace hetc::annotations
