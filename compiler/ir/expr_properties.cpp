#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <cstdlib>

namespace hetc::ir {

namespace {
struct Enumerator {
  std::string_view name;
  std::int64_t value;
};
// As in <tla/types.hpp>.
constexpr Enumerator enumerators[] = {{"NoTrans", 111}, {"Trans", 112}, {"ConjTrans", 113},
                                      {"Upper", 121},   {"Lower", 122}, {"NonUnit", 131},
                                      {"Unit", 132},    {"Left", 141},  {"Right", 142}};

constexpr std::string_view castTypeWords[] = {
    "T",       "real",     "bool",     "char",     "short",     "int",           "long",          "unsigned",
    "signed",  "float",    "double",   "size_t",   "int8_t",    "int16_t",       "int32_t",       "int64_t",
    "uint8_t", "uint16_t", "uint32_t", "uint64_t", "ptrdiff_t", "complex_float", "complex_double"};

bool contains(const auto &range, std::string_view word) {
  return std::find(std::begin(range), std::end(range), word) != std::end(range);
}
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
} // namespace

/// The number of operators that remain of so many after those of the expression; negative: there were not enough.
static long leftOf(long operators, const Expr &expr) {
  operators -= !expr.operands.empty();
  for (const ExprRef &operand : expr.operands)
    if (operators >= 0 && operand)
      operators = leftOf(operators, *operand);
  return operators;
}

bool hasAtMost(const Expr &expr, unsigned operators) { return leftOf(operators, expr) >= 0; }

bool isComparison(ExprKind kind) {
  switch (kind) {
  case ExprKind::Lt:
  case ExprKind::Le:
  case ExprKind::Gt:
  case ExprKind::Ge:
  case ExprKind::Eq:
  case ExprKind::Ne:
    return true;
  default:
    return false;
  }
}

bool isCondition(ExprKind kind) {
  return isComparison(kind) || kind == ExprKind::Not || kind == ExprKind::And || kind == ExprKind::Or;
}

bool asksSize(const Expr &expr) {
  return expr.kind == ExprKind::Extent ||
         std::ranges::any_of(expr.operands, [](const ExprRef &operand) { return asksSize(*operand); });
}

bool asksSizeOf(const Expr &expr, const std::string &matrix) {
  return (expr.kind == ExprKind::Extent && expr.text == matrix) ||
         std::ranges::any_of(expr.operands,
                             [&](const ExprRef &operand) { return operand && asksSizeOf(*operand, matrix); });
}

bool hasVariable(const Expr &expr, const std::string &name) {
  return (expr.kind == ExprKind::Var && expr.text == name) ||
         std::ranges::any_of(expr.operands,
                             [&](const ExprRef &operand) { return operand && hasVariable(*operand, name); });
}

bool asksTiles(const Expr &expr) {
  return (expr.kind == ExprKind::Extent && expr.extent == Extent::Has) ||
         std::ranges::any_of(expr.operands, [](const ExprRef &operand) { return operand && asksTiles(*operand); });
}

std::size_t operandCount(ExprKind kind) {
  switch (kind) {
  case ExprKind::Int:
  case ExprKind::Real:
  case ExprKind::Enum:
  case ExprKind::Var:
  case ExprKind::Extent:
    return 0;
  case ExprKind::Neg:
  case ExprKind::Not:
  case ExprKind::Cast:
    return 1;
  case ExprKind::Select:
    return 3;
  default:
    return 2;
  }
}

std::optional<std::int64_t> enumeratorValue(std::string_view name) {
  const auto found = std::ranges::find(enumerators, name, &Enumerator::name);
  return found == std::end(enumerators) ? std::nullopt : std::optional(found->value);
}

bool isCastTypeWord(std::string_view word) { return contains(castTypeWords, word); }

bool isCastType(std::string_view type) {
  for (;;) {
    const std::size_t space = type.find(' ');
    if (!isCastTypeWord(type.substr(0, space)))
      return false;
    if (space == std::string_view::npos)
      return true;
    type.remove_prefix(space + 1);
  }
}

bool isFreeName(std::string_view name) {
  if (name.empty() || isDigit(name.front()) ||
      !std::ranges::all_of(name, [](char c) { return isLetter(c) || isDigit(c); }))
    return false;
  return !enumeratorValue(name) && !isCastTypeWord(name) && name != "min" && name != "max";
}

bool isRealLiteral(std::string_view text) {
  if (text.empty() || !(isDigit(text.front()) || text.front() == '.'))
    return false;
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (text.find_first_of(hexadecimal ? ".pP" : ".eE") == std::string_view::npos)
    return false; // an integer, perhaps with a suffix
  const std::string copy(text);
  char *end = nullptr;
  std::strtold(copy.c_str(), &end);
  const std::string_view suffix(end);
  return end != copy.c_str() &&
         (suffix.empty() || (suffix.size() == 1 && std::string_view("fFlL").find(suffix[0]) != std::string_view::npos));
}

} // namespace hetc::ir
