// A search space as its .space file says it, with names resolved. README.md describes the language.
//
//   space     = {statement}, in any order
//   statement = 'kernel' NAME                                     once: whose candidates these are
//             | 'param' NAME '=' expr                             of the device; over parameters
//             | 'iter' NAME 'from' expr ['to' expr] ['step' expr] both ends belong to it; without 'to' open-ended
//             | 'iter' NAME 'in' expr {',' expr}                  these values, ascending, over parameters
//             | 'let' NAME '=' expr                               a derived value
//             | 'default' NAME '=' expr                           an iterator's value where nothing is tuned; over
//             parameters | ('hard' | 'soft' | 'correctness') NAME ':' expr   a constraint: what holds for candidates
//   expr      = C's, over 64-bit integers: ?: || && == != < <= > >= + - * / % - ! () min(a, b, ...) max gcd(a, b)
//   comment   = '//' to the end of the line
#pragma once

#include "dsl/base/operators.hpp"
#include "kernels/tuning/diagnostic.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hetc::tuning {

enum class Op {
  Number,
  Symbol,
  Negate,
  Not,
  Add, // from here to Or: tla::BinaryOperator
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Min,
  Max,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Select,
  Gcd
};
static_assert(tla::operatorOf<Op::Add>(Op::Max) == tla::BinaryOperator::Max &&
              tla::operatorOf<Op::Add>(Op::Or) == tla::BinaryOperator::Or);

/// Arithmetic is C's on 64-bit integers, but overflow and division by zero are errors. Comparisons give 0 or 1.
struct Expr {
  Op op = Op::Number;
  std::int64_t value = 0; ///< Number
  int symbol = -1;        ///< Symbol: index into Space::symbols
  std::vector<Expr> operands;
  unsigned offset = 0; ///< position of its first character
};

enum class SymbolKind { Parameter, Iterator, Derived };

struct Symbol {
  SymbolKind kind = SymbolKind::Parameter;
  std::string name;
  unsigned offset = 0;
  Expr value;                ///< Parameter, Derived
  Expr from;                 ///< Iterator with a range
  std::optional<Expr> to;    ///< end of the range of such an iterator; none: open-ended
  std::optional<Expr> step;  ///< step of the range; none: 1
  std::vector<Expr> values;  ///< Iterator over a list; else empty
  std::optional<Expr> usual; ///< Iterator: its value in the default configuration

  TextPosition place() const { return {offset, static_cast<unsigned>(name.size())}; }
  bool isOpenEnded() const { return kind == SymbolKind::Iterator && values.empty() && !to; }
};

/// Why a constraint is there: the device cannot run what violates it, it would be slow, or it would be wrong.
enum class ConstraintKind { Hard, Soft, Correctness };

const char *name(ConstraintKind kind); ///< "hard", "soft", "correctness"

struct Constraint {
  ConstraintKind kind = ConstraintKind::Hard;
  std::string name;
  unsigned offset = 0;
  Expr condition;

  TextPosition place() const { return {offset, static_cast<unsigned>(name.size())}; }
};

struct Space {
  std::string kernel;
  TextPosition kernelPlace;
  std::vector<Symbol> symbols;         ///< symbols in the order of the file
  std::vector<Constraint> constraints; ///< constraints in the order of the file

  int find(std::string_view name) const; ///< a symbol's index, or -1
};

/// Reads a space. Rejects: syntax, unknown names (with the nearest known), names defined twice or reserved, definitions
/// that need themselves, parameters that depend on iterators, numbers that are no 64-bit integers, texts of more than
/// 32768 characters.
std::variant<Space, Diagnostic> parseSpace(std::string_view text);

/// The symbols that stand in an expression.
std::set<int> symbolsOf(const Expr &expr);
/// The symbols that a definition names: in its value, its range or its list.
std::set<int> symbolsOf(const Symbol &symbol);

} // namespace hetc::tuning
