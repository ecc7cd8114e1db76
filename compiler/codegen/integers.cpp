#include "compiler/codegen/integers.hpp"

#include "compiler/codegen/emitter.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "runtime/distribution/distribution.hpp"

#include <algorithm>

namespace hetc::codegen {

using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t mostTiles = 1 << 30; ///< most tiles in a row or column: runtime/core/window/tile_table.cpp
constexpr std::int64_t mostRepeat = tla::Distribution::maxPeriod; ///< rows or columns of a period

std::int64_t clamped(Wide value) {
  return value < INT64_MIN ? INT64_MIN : value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value);
}

struct WideRange {
  Wide least, greatest;
  bool fitsLong() const { return least >= INT64_MIN && greatest <= INT64_MAX; }
};

/// The range of the corners' values.
template <typename Operation> WideRange corners(const IntegerRange &a, const IntegerRange &b, Operation operation) {
  const Wide values[] = {operation(a.least, b.least), operation(a.least, b.greatest), operation(a.greatest, b.least),
                         operation(a.greatest, b.greatest)};
  return {*std::ranges::min_element(values), *std::ranges::max_element(values)};
}

/// The greatest absolute value.
Wide size(const IntegerRange &range) { return std::max<Wide>(-Wide(range.least), range.greatest); }

/// The range of the results of C++'s a / b and a % b: towards zero, with the sign of a.
WideRange quotientRange(const IntegerRange &a, const IntegerRange &b) {
  if (b.least > 0)
    return corners(a, b, [](Wide x, Wide y) { return x / y; });
  return {-size(a), size(a)};
}
WideRange remainderRange(const IntegerRange &a, const IntegerRange &b) {
  const Wide most = std::min(size(a), std::max<Wide>(0, size(b) - 1));
  return {a.least >= 0 ? Wide(0) : -most, a.greatest <= 0 ? Wide(0) : most};
}

WideRange rangeOfBinary(ExprKind kind, const IntegerRange &a, const IntegerRange &b) {
  switch (kind) {
  case ExprKind::Add:
    return {Wide(a.least) + b.least, Wide(a.greatest) + b.greatest};
  case ExprKind::Sub:
    return {Wide(a.least) - b.greatest, Wide(a.greatest) - b.least};
  case ExprKind::Mul:
    return corners(a, b, [](Wide x, Wide y) { return x * y; });
  case ExprKind::Div:
    return quotientRange(a, b);
  case ExprKind::Rem:
    return remainderRange(a, b);
  case ExprKind::Min:
    return {std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
  case ExprKind::Max:
    return {std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
  default: // comparisons and conditions
    return {0, 1};
  }
}

IntegerRange rangeOfExtent(Extent extent) {
  switch (extent) {
  case Extent::Mt:
  case Extent::Nt:
  case Extent::Ns:
    return {0, mostTiles};
  case Extent::Mb:
  case Extent::Nb:
    return {1, INT32_MAX};
  case Extent::P:
  case Extent::Q:
    return {1, mostRepeat};
  case Extent::Has:
  case Extent::DealtHome:
  case Extent::DealtOpens:
  case Extent::DealtCloses:
  case Extent::DealtJoins:
    return {0, 1};
  default:
    return {0, INT32_MAX};
  }
}

/// The values of an integer type; nothing for other types, and for bool, to which every value converts.
std::optional<IntegerRange> rangeOfType(const std::string &type) {
  static const std::map<std::string, IntegerRange> ranges = {
      {"int", intRange},
      {"long", {}},
      {"long long", {}},
      {"short", {INT16_MIN, INT16_MAX}},
      {"char", {INT8_MIN, INT8_MAX}},
      {"signed char", {INT8_MIN, INT8_MAX}},
      {"unsigned char", {0, UINT8_MAX}},
      {"unsigned short", {0, UINT16_MAX}},
      {"unsigned int", {0, UINT32_MAX}},
      {"unsigned long", {0, INT64_MAX}},
      {"unsigned long long", {0, INT64_MAX}},
  };
  const auto found = ranges.find(type);
  return found == ranges.end() ? std::nullopt : std::optional(found->second);
}

bool isArithmetic(ExprKind kind) {
  return kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul || kind == ExprKind::Div ||
         kind == ExprKind::Rem;
}

ExprRef asLong(const ExprRef &expr) { return ir::makeCast("long", expr); }

/// A call as an expression that no operator binds tighter than.
ExprRef call(const std::string &function, const std::string &arguments) {
  return ir::makeVar("rt::" + function + "(" + arguments + ")");
}

} // namespace

//
// Names
//

Integers::Integers(const ir::Program &program) {
  for (const ir::Scalar &scalar : program.scalars)
    if (scalar.type == "int")
      ranges_[scalar.name] = intRange;
    else
      notInteger_[scalar.name] = true;
  for (const std::string &size : program.sizes)
    if (!program.findScalar(size))
      ranges_[size] = {0, INT32_MAX};
  for (const char *count : {ir::stagePart, ir::stageBegun, ir::stageEnded})
    ranges_[count] = {0, INT32_MAX};
  const std::map<const ir::Loop *, ir::LoopEnd> ends = ir::loopEnds(program);
  bindLoops(program.body, ends);
  for (const ir::Function &function : program.functions)
    bindLoops(function.body, ends);
}

Integers::Integers(const ir::Kernel &kernel) {
  for (const ir::KernelParameter &parameter : kernel.parameters)
    if (parameter.isScalar()) {
      if (const auto range = rangeOfType(parameter.number))
        ranges_[parameter.name] = *range;
      else
        notInteger_[parameter.name] = true;
    }
}

void Integers::bindLoops(const ir::Block &block, const std::map<const ir::Loop *, ir::LoopEnd> &ends) {
  for (const ir::Statement &statement : block)
    if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      ranges_[(*loop)->variable] = intRange; // the condition may name it on either side
      ranges_[(*loop)->variable] = bodyRange(**loop, ends.at(loop->get()).direction);
      bindLoops((*loop)->body, ends);
    } else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      bindLoops((*branch)->then, ends);
      bindLoops((*branch)->otherwise, ends);
    }
}

/// Where the condition holds: by what it compares the variable with, and where the variable comes from. Its steps end
/// in ints, or the loop with an error.
IntegerRange Integers::bodyRange(const ir::Loop &loop, int direction) const {
  IntegerRange range = intRange;
  const IntegerRange init = rangeOf(loop.init);
  if (direction > 0)
    range.least = std::max(range.least, init.least);
  if (direction < 0)
    range.greatest = std::min(range.greatest, init.greatest);
  const auto learn = [&](const ir::Expr &condition, auto &&self) -> void {
    if (condition.kind == ExprKind::And) {
      self(*condition.operands[0], self);
      self(*condition.operands[1], self);
    }
    if (!ir::isComparison(condition.kind) || condition.operands[0]->kind != ExprKind::Var ||
        condition.operands[0]->text != loop.variable)
      return;
    const IntegerRange bound = rangeOf(condition.operands[1]);
    if (condition.kind == ExprKind::Lt || condition.kind == ExprKind::Le)
      range.greatest = std::min(range.greatest, bound.greatest - (condition.kind == ExprKind::Lt));
    if (condition.kind == ExprKind::Gt || condition.kind == ExprKind::Ge)
      range.least = std::max(range.least, bound.least + (condition.kind == ExprKind::Gt));
  };
  learn(*loop.condition, learn);
  return range.least <= range.greatest ? range : IntegerRange{range.least, range.least}; // it has no iterations
}

bool Integers::staysInt(const ir::Loop &loop) const { return intRange.holds(rangeOf(loop.next)); }

/// The text of the condition, which runs once more than the body.
std::string Integers::condition(const ir::Loop &loop) const {
  Integers before = *this;
  before.bind(loop.variable, intRange);
  return before.value(loop.condition);
}

//
// Expressions
//

Integers::Converted Integers::convert(const ExprRef &expr) const {
  switch (expr->kind) {
  case ExprKind::Int:
  case ExprKind::Enum:
    return {expr, {expr->value, expr->value}, true, !intRange.holds({expr->value, expr->value})};
  case ExprKind::Real:
    return {expr, {}, false};
  case ExprKind::Var:
    return convertVariable(expr);
  case ExprKind::Extent:
    return convertExtent(expr);
  case ExprKind::Neg:
  case ExprKind::Not:
    return convertUnary(expr);
  case ExprKind::Cast:
    return convertCast(expr);
  case ExprKind::Select: {
    const Converted condition = convert(expr->operands[0]), then = convert(expr->operands[1]),
                    otherwise = convert(expr->operands[2]);
    return {
        ir::makeSelect(condition.expr, then.expr, otherwise.expr),
        {std::min(then.range.least, otherwise.range.least), std::max(then.range.greatest, otherwise.range.greatest)},
        then.isInteger && otherwise.isInteger,
        then.isLong || otherwise.isLong};
  }
  default:
    return convertBinary(expr);
  }
}

Integers::Converted Integers::convertVariable(const ExprRef &expr) const {
  const auto known = ranges_.find(expr->text);
  if (known != ranges_.end())
    return {expr, known->second, true, !intRange.holds(known->second)};
  return {expr, notInteger_.contains(expr->text) ? IntegerRange() : intRange, !notInteger_.contains(expr->text)};
}

Integers::Converted Integers::convertExtent(const ExprRef &expr) const {
  const IntegerRange range = rangeOfExtent(expr->extent);
  if (expr->operands.empty())
    return {expr, range};
  auto result = std::make_shared<ir::Expr>(*expr);
  for (ExprRef &operand : result->operands) {
    const Converted argument = convert(operand);
    const bool isInt = intRange.holds(argument.range);
    if (!isInt && expr->extent == Extent::Has) // there is no such tile
      operand = call("tileIndex", ir::print(*argument.expr));
    else
      operand = isInt && !argument.isLong ? argument.expr : ir::makeVar(asInt(operand));
  }
  return {result, range};
}

Integers::Converted Integers::convertUnary(const ExprRef &expr) const {
  const Converted operand = convert(expr->operands[0]);
  if (expr->kind == ExprKind::Not)
    return {ir::makeUnary(ExprKind::Not, operand.expr), {0, 1}};
  if (!operand.isInteger)
    return {ir::makeUnary(ExprKind::Neg, operand.expr), {}, false};
  const IntegerRange range{clamped(-Wide(operand.range.greatest)), clamped(-Wide(operand.range.least))};
  const bool widens = !operand.isLong && !intRange.holds(range);
  return {ir::makeUnary(ExprKind::Neg, widens ? asLong(operand.expr) : operand.expr), range, true,
          operand.isLong || widens};
}

Integers::Converted Integers::convertBinary(const ExprRef &expr) const {
  Converted a = convert(expr->operands[0]), b = convert(expr->operands[1]);
  if (!isArithmetic(expr->kind) && expr->kind != ExprKind::Min && expr->kind != ExprKind::Max)
    return {ir::makeBinary(expr->kind, a.expr, b.expr), {0, 1}};
  if (!a.isInteger || !b.isInteger)
    return {ir::makeBinary(expr->kind, a.expr, b.expr), {}, false};
  const WideRange exact = rangeOfBinary(expr->kind, a.range, b.range);
  const IntegerRange range{clamped(exact.least), clamped(exact.greatest)};
  if (!exact.fitsLong() && expr->kind != ExprKind::Rem) {
    const char *function = expr->kind == ExprKind::Add   ? "sum"
                           : expr->kind == ExprKind::Sub ? "difference"
                           : expr->kind == ExprKind::Mul ? "product"
                                                         : "quotient";
    return {call(function, ir::print(*a.expr) + ", " + ir::print(*b.expr) + ", " + shown(expr)), range, true, true};
  }
  const bool widens = isArithmetic(expr->kind) && !a.isLong && !b.isLong && !intRange.holds(range);
  if (widens)
    (a.expr->kind == ExprKind::Int && b.expr->kind != ExprKind::Int ? b : a).isLong = true;
  const auto operand = [&](const Converted &of) { return widens && of.isLong ? asLong(of.expr) : of.expr; };
  return {ir::makeBinary(expr->kind, operand(a), operand(b)), range, true, a.isLong || b.isLong};
}

Integers::Converted Integers::convertCast(const ExprRef &expr) const {
  const Converted operand = convert(expr->operands[0]);
  const auto type = rangeOfType(expr->text);
  const auto cast = [&](const ExprRef &value) { return ir::makeCast(expr->text, value); };
  if (!type)
    return {cast(operand.expr), expr->text == "bool" ? IntegerRange{0, 1} : IntegerRange(), expr->text == "bool"};
  if (!operand.isInteger)
    return {cast(operand.expr), *type, true, !intRange.holds(*type)};
  if (!type->holds(operand.range))
    return {call("to<" + expr->text + ">", ir::print(*operand.expr) + ", " + shown(expr->operands[0])), *type, true,
            !intRange.holds(*type)};
  return {cast(operand.expr), operand.range, true, expr->text != "int" || !intRange.holds(operand.range)};
}

//
// Text
//

std::string Integers::shown(const ExprRef &expr) const { return quoted(ir::print(*ir::substitute(expr, written_))); }

std::string Integers::value(const ExprRef &expr) const { return ir::print(*convert(expr).expr); }

std::string Integers::asInt(const ExprRef &expr, const std::string &what) const {
  const Converted converted = convert(expr);
  const std::string text = ir::print(*converted.expr);
  if (!converted.isInteger)
    return text;
  if (intRange.holds(converted.range))
    return converted.isLong ? "int(" + text + ")" : text;
  return "rt::to<int>(" + text + ", " + shown(expr) + (what.empty() ? "" : ", " + quoted(what)) + ")";
}

std::string Integers::asArgument(const ExprRef &expr, const std::string &type, const std::string &what) const {
  const Converted converted = convert(expr);
  const auto range = rangeOfType(type);
  if (!converted.isInteger || expr->kind == ExprKind::Enum || (!range && !type.empty()))
    return ir::print(*converted.expr); // to bool and floating-point types every integer converts
  if (type.empty() || type == "int")
    return asInt(expr, what);
  const std::string text = ir::print(*converted.expr);
  return range->holds(converted.range)
             ? text
             : "rt::to<" + type + ">(" + text + ", " + shown(expr) + ", " + quoted(what) + ")";
}

std::string Integers::nearestInt(const ExprRef &expr) const {
  const Converted converted = convert(expr);
  const std::string text = ir::print(*converted.expr);
  return intRange.holds(converted.range) ? (converted.isLong ? "int(" + text + ")" : text)
                                         : "rt::nearestInt(" + text + ")";
}

} // namespace hetc::codegen
