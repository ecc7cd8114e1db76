// Statements to a Space: names become indices, definitions are checked.
#include "dsl/annotations/suggest.hpp"
#include "kernels/tuning/space.hpp"
#include "kernels/tuning/statement.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace hetc::tuning {

namespace {
using annotations::SyntaxError;
using Kind = annotations::Expr::Kind;

Diagnostic toDiagnostic(SyntaxError error) { return {{error.offset, error.length}, std::move(error.message), {}}; }

unsigned lengthOf(const std::string &text) { return static_cast<unsigned>(text.size()); }

/// Thrown inside this file only.
struct Rejected {
  Diagnostic diagnostic;
};

[[noreturn]] void reject(TextPosition place, std::string message, std::vector<Note> notes = {}) {
  throw Rejected{{place, std::move(message), std::move(notes)}};
}

Op binaryOp(const std::string &text) {
  return static_cast<Op>(static_cast<int>(Op::Add) + static_cast<int>(tla::findInfix(text)->op));
}

class Resolver {
public:
  Space run(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements)
      declare(statement);
    if (space_.kernel.empty())
      reject({}, "which kernel is this space for? it needs a line such as 'kernel gemm'");
    int symbol = 0, constraint = 0;
    for (const Statement &statement : statements)
      if (isConstraint(statement))
        space_.constraints[constraint++].condition = convert(statement.values[0]);
      else if (isDefault(statement))
        setDefault(statement);
      else if (statement.keyword.text != "kernel")
        define(space_.symbols[symbol++], statement);
    checkConstants();
    for (std::size_t each = 0; each < space_.symbols.size(); ++each)
      checkCycles(static_cast<int>(each));
    return std::move(space_);
  }

private:
  static bool isConstraint(const Statement &statement) {
    const std::string &keyword = statement.keyword.text;
    return keyword == "hard" || keyword == "soft" || keyword == "correctness";
  }

  static bool isDefault(const Statement &statement) { return statement.keyword.text == "default"; }

  void setDefault(const Statement &statement) {
    const TextPosition place{statement.name.offset, lengthOf(statement.name.text)};
    Symbol &symbol = space_.symbols[lookUp(statement.name.text, statement.name.offset)];
    if (symbol.kind != SymbolKind::Iterator)
      reject(place, "only iterators have defaults, and '" + symbol.name + "' is none",
             {{symbol.place(), "defined here"}});
    if (symbol.usual)
      reject(place, "the default of '" + symbol.name + "' is given twice");
    symbol.usual = convert(statement.values[0]);
  }

  void declare(const Statement &statement) {
    if (isDefault(statement))
      return;
    const TextPosition place{statement.name.offset, lengthOf(statement.name.text)};
    const std::string &keyword = statement.keyword.text, &name = statement.name.text;
    if (keyword == "kernel") {
      if (!space_.kernel.empty())
        reject({statement.keyword.offset, lengthOf(keyword)}, "the kernel is given twice",
               {{space_.kernelPlace, "first given here"}});
      space_.kernel = name;
      space_.kernelPlace = place;
      return;
    }
    if (const auto [known, isNew] = places_.emplace(name, place); !isNew)
      reject(place, "'" + name + "' is defined twice", {{known->second, "first defined here"}});
    if (isConstraint(statement)) {
      const ConstraintKind kind = keyword == "hard"   ? ConstraintKind::Hard
                                  : keyword == "soft" ? ConstraintKind::Soft
                                                      : ConstraintKind::Correctness;
      space_.constraints.push_back({kind, name, place.offset, {}});
      return;
    }
    Symbol symbol;
    symbol.kind = keyword == "param"  ? SymbolKind::Parameter
                  : keyword == "iter" ? SymbolKind::Iterator
                                      : SymbolKind::Derived;
    symbol.name = name;
    symbol.offset = place.offset;
    space_.symbols.push_back(std::move(symbol));
  }

  void define(Symbol &symbol, const Statement &statement) {
    if (statement.isList) {
      for (const annotations::Expr &value : statement.values)
        symbol.values.push_back(convert(value));
      return;
    }
    (symbol.kind == SymbolKind::Iterator ? symbol.from : symbol.value) = convert(statement.values[0]);
    if (statement.to)
      symbol.to = convert(*statement.to);
    if (statement.step)
      symbol.step = convert(*statement.step);
  }

  Expr convert(const annotations::Expr &expr, int depth = 0) {
    if (depth > 1000)
      reject({expr.offset, 0}, "the expression is too long");
    Expr result;
    result.offset = expr.offset;
    switch (expr.kind) {
    case Kind::Number:
      result.value = number(expr);
      return result;
    case Kind::Name:
      result.op = Op::Symbol;
      result.symbol = lookUp(expr.text, expr.offset);
      return result;
    case Kind::Member:
      reject({expr.offset, 0}, "there are no members in a space: '." + expr.text + "'");
    case Kind::Call:
      result.op = function(expr);
      break;
    case Kind::Unary:
      result.op = expr.text == "-" ? Op::Negate : Op::Not;
      break;
    case Kind::Binary:
      result.op = binaryOp(expr.text);
      break;
    case Kind::Select:
      result.op = Op::Select;
      break;
    }
    for (const annotations::Expr &operand : expr.operands)
      result.operands.push_back(convert(operand, depth + 1));
    return result;
  }

  static std::int64_t number(const annotations::Expr &expr) {
    const char *begin = expr.text.data(), *end = begin + expr.text.size();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const TextPosition place{expr.offset, lengthOf(expr.text)};
    if (error == std::errc::result_out_of_range)
      reject(place, "the number does not fit into 64 bits");
    if (stop != end)
      reject(place, "expected an integer");
    return value;
  }

  int lookUp(const std::string &name, unsigned offset) {
    if (const int symbol = space_.find(name); symbol >= 0)
      return symbol;
    const TextPosition place{offset, lengthOf(name)};
    if (const auto constraint = places_.find(name); constraint != places_.end())
      reject(place, "'" + name + "' is a constraint, which has no value", {{constraint->second, "defined here"}});
    std::vector<std::string_view> known;
    for (const Symbol &symbol : space_.symbols)
      known.push_back(symbol.name);
    throw Rejected{toDiagnostic(annotations::unknownWord("name", name, offset, known))};
  }

  static Op function(const annotations::Expr &expr) {
    static constexpr std::string_view names[] = {"min", "max", "gcd"};
    static constexpr Op ops[] = {Op::Min, Op::Max, Op::Gcd};
    const auto found = std::ranges::find(names, expr.text);
    if (found == std::end(names))
      throw Rejected{toDiagnostic(annotations::unknownWord("function", expr.text, expr.offset, names))};
    const std::size_t count = expr.operands.size();
    const TextPosition place{expr.offset, lengthOf(expr.text)};
    if (*found == "gcd" && count != 2)
      reject(place, "'gcd' takes two arguments");
    if (count < 2)
      reject(place, "'" + expr.text + "' takes at least two arguments");
    return ops[found - std::begin(names)];
  }

  /// Parameters, and the lists of iterators, are known before the loops.
  void checkConstants() const {
    for (const Symbol &symbol : space_.symbols) {
      if (symbol.kind == SymbolKind::Parameter)
        checkConstant(symbol.value, "a parameter");
      for (const Expr &value : symbol.values)
        checkConstant(value, "a list of values");
      if (symbol.usual)
        checkConstant(*symbol.usual, "a default");
    }
  }
  void checkConstant(const Expr &expr, const std::string &what) const {
    if (expr.op == Op::Symbol && space_.symbols[expr.symbol].kind != SymbolKind::Parameter) {
      const Symbol &used = space_.symbols[expr.symbol];
      reject({expr.offset, lengthOf(used.name)},
             what + " may depend on parameters only, and '" + used.name + "' is none",
             {{used.place(), "defined here"}});
    }
    for (const Expr &operand : expr.operands)
      checkConstant(operand, what);
  }

  /// Depth first; path_ holds the definitions that are being looked at.
  void checkCycles(int symbol) {
    if (done_.count(symbol))
      return;
    if (const auto start = std::ranges::find(path_, symbol); start != path_.end()) {
      std::string cycle;
      for (auto each = start; each != path_.end(); ++each)
        cycle += space_.symbols[*each].name + " -> ";
      const Symbol &first = space_.symbols[*start];
      reject(first.place(), "'" + first.name + "' is defined by itself: " + cycle + first.name);
    }
    path_.push_back(symbol);
    for (const int used : symbolsOf(space_.symbols[symbol]))
      checkCycles(used);
    path_.pop_back();
    done_.insert(symbol);
  }

  Space space_;
  std::map<std::string, TextPosition> places_;
  std::vector<int> path_;
  std::set<int> done_;
};

void collect(const Expr &expr, std::set<int> &result) {
  if (expr.op == Op::Symbol)
    result.insert(expr.symbol);
  for (const Expr &operand : expr.operands)
    collect(operand, result);
}

} // namespace

const char *name(ConstraintKind kind) {
  static const char *names[] = {"hard", "soft", "correctness"};
  return names[static_cast<int>(kind)];
}

int Space::find(std::string_view name) const {
  const auto found = std::ranges::find(symbols, name, &Symbol::name);
  return found == symbols.end() ? -1 : static_cast<int>(found - symbols.begin());
}

std::set<int> symbolsOf(const Expr &expr) {
  std::set<int> result;
  collect(expr, result);
  return result;
}

std::set<int> symbolsOf(const Symbol &symbol) {
  std::set<int> result;
  collect(symbol.value, result);
  collect(symbol.from, result);
  for (const auto *part : {&symbol.to, &symbol.step})
    if (*part)
      collect(**part, result);
  for (const Expr &value : symbol.values)
    collect(value, result);
  return result;
}

std::variant<Space, Diagnostic> parseSpace(std::string_view text) {
  auto statements = parseStatements(text);
  if (auto *error = std::get_if<SyntaxError>(&statements))
    return toDiagnostic(std::move(*error));
  try {
    return Resolver().run(std::get<0>(statements));
  } catch (Rejected &rejected) {
    return std::move(rejected.diagnostic);
  }
}

} // namespace hetc::tuning
