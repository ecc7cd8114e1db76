#include "compiler/ir/unroll/compiled_expr.hpp"
#include "compiler/ir/arithmetic.hpp"

#include <algorithm>

namespace hetc::ir {

CompiledExpr::CompiledExpr(const Expr &expr, const Environment &constants,
                           const std::map<std::string, std::size_t> &slots)
    : root_(compile(expr, constants, slots)) {}

std::uint32_t CompiledExpr::compile(const Expr &expr, const Environment &constants,
                                    const std::map<std::string, std::size_t> &slots) {
  Node node;
  node.source = &expr;
  const auto slot = expr.kind == ExprKind::Var ? slots.find(expr.text) : slots.end();
  if (slot != slots.end()) {
    node.code = Code::Slot;
    node.operands[0] = static_cast<std::uint32_t>(slot->second);
  } else if (expr.operands.empty()) {
    const std::optional<std::int64_t> value = ir::evaluate(expr, constants);
    node.code = value ? Code::Constant : Code::Unknown;
    node.value = value.value_or(0);
  } else {
    node.code = Code::Operator;
    for (std::size_t index = 0; index < expr.operands.size(); ++index)
      node.operands[index] = compile(*expr.operands[index], constants, slots);
    const bool has = expr.kind == ExprKind::Extent && expr.extent == Extent::Has;
    const auto tiles = has ? compileTiles(expr.text, constants) : std::nullopt;
    if (tiles)
      node.operands[2] = *tiles;
    if (expr.kind == ExprKind::Extent && !tiles)
      node.code = Code::Unknown;
    else
      simplify(node);
  }
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::optional<std::uint32_t> CompiledExpr::compileTiles(const std::string &matrix, const Environment &constants) {
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  for (const Extent extent : {Extent::Mt, Extent::Nt, Extent::Has}) {
    const auto found = constants.extents.find({matrix, extent});
    if (found == constants.extents.end())
      return std::nullopt;
    Node node;
    node.code = Code::Constant;
    node.value = found->second;
    nodes_.push_back(node);
  }
  return first;
}

void CompiledExpr::simplify(Node &node) const {
  const std::size_t count = node.source->operands.size();
  const Node &left = nodes_[node.operands[0]], &right = nodes_[node.operands[count > 1 ? 1 : 0]];
  const bool constant = std::all_of(node.operands, node.operands + count,
                                    [this](std::uint32_t operand) { return nodes_[operand].code == Code::Constant; });
  if (constant) {
    try {
      node.value = evaluateOperator(node, {});
      node.code = Code::Constant;
    } catch (const EvaluationError &) {
      // An error only if it is ever evaluated.
    }
    return;
  }
  const bool add = node.source->kind == ExprKind::Add, sub = node.source->kind == ExprKind::Sub;
  if ((add || sub) && left.code == Code::Slot && right.code == Code::Constant && right.value != INT64_MIN) {
    node.code = Code::SlotPlus;
    node.value = add ? right.value : -right.value;
    node.operands[0] = left.operands[0];
  }
}

static std::int64_t checked(std::optional<std::int64_t> value, const Expr &source) {
  if (value)
    return *value;
  const bool division = source.kind == ExprKind::Div || source.kind == ExprKind::Rem;
  const char *reason = division                        ? "division by zero in '"
                       : source.kind == ExprKind::Cast ? "not an integer: '"
                                                       : "the value is too large in '";
  throw EvaluationError(reason + print(source) + "'");
}

std::int64_t CompiledExpr::evaluate(std::uint32_t index, std::span<const std::int64_t> slots) const {
  const Node &node = nodes_[index];
  switch (node.code) {
  case Code::Constant:
    return node.value;
  case Code::Slot:
    return slots[node.operands[0]];
  case Code::SlotPlus:
    return checked(applyBinary(ExprKind::Add, slots[node.operands[0]], node.value), *node.source);
  case Code::Operator:
    return evaluateOperator(node, slots);
  case Code::Unknown:
    break;
  }
  const bool real = node.source->kind == ExprKind::Real;
  throw EvaluationError((real ? "not an integer: '" : "no value is known for '") + print(*node.source) + "'");
}

std::int64_t CompiledExpr::evaluateOperator(const Node &node, std::span<const std::int64_t> slots) const {
  const Expr &source = *node.source;
  const std::int64_t first = evaluate(node.operands[0], slots);
  switch (source.kind) {
  case ExprKind::And:
    return first && evaluate(node.operands[1], slots);
  case ExprKind::Or:
    return first || evaluate(node.operands[1], slots);
  case ExprKind::Select:
    return evaluate(node.operands[first ? 1 : 2], slots);
  case ExprKind::Extent: {
    const Node *const size = &nodes_[node.operands[2]];
    return hasTile(static_cast<MatrixKind>(size[2].value), size[0].value, size[1].value, first,
                   evaluate(node.operands[1], slots));
  }
  case ExprKind::Neg:
  case ExprKind::Not:
    return checked(applyUnary(source.kind, first), source);
  case ExprKind::Cast:
    return checked(applyCast(source.text, first), source);
  default:
    return checked(applyBinary(source.kind, first, evaluate(node.operands[1], slots)), source);
  }
}

} // namespace hetc::ir
