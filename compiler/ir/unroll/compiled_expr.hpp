// Expressions ready for millions of evaluations: what never changes is folded in, loop variables are numbered slots.
#pragma once

#include "compiler/ir/expr.hpp"

#include <span>
#include <stdexcept>

namespace hetc::ir {

/// Thrown by CompiledExpr::operator(); never leaves this library.
class EvaluationError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class CompiledExpr {
public:
  CompiledExpr() = default;
  /// Names are loop variables (by slot) first, then constants. The expression must outlive the object; names unknown to
  /// both are an error only when they are evaluated, as they may stand in a branch that is never taken.
  CompiledExpr(const Expr &expr, const Environment &constants, const std::map<std::string, std::size_t> &slots);

  /// Throws EvaluationError, e.g. "division by zero in 'i / j'".
  std::int64_t operator()(std::span<const std::int64_t> slots) const { return evaluate(root_, slots); }

private:
  enum class Code { Constant, Slot, SlotPlus, Operator, Unknown };
  struct Node {
    Code code = Code::Unknown;
    std::int64_t value = 0; ///< Constant: the value; SlotPlus: what is added
    /// Operator: nodes, of A.has(i, j) the third is the first of three constants: mt, nt, the MatrixKind. Slot,
    /// SlotPlus: operands[0] is the slot.
    std::uint32_t operands[3]{};
    const Expr *source = nullptr;
  };

  std::uint32_t compile(const Expr &expr, const Environment &constants,
                        const std::map<std::string, std::size_t> &slots);
  /// Nodes with what A.has(i, j) asks of A; nothing where that is not known.
  std::optional<std::uint32_t> compileTiles(const std::string &matrix, const Environment &constants);
  /// Folds constants, and recognises i + 1 and the like.
  void simplify(Node &node) const;
  std::int64_t evaluate(std::uint32_t node, std::span<const std::int64_t> slots) const;
  std::int64_t evaluateOperator(const Node &node, std::span<const std::int64_t> slots) const;

  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
};

} // namespace hetc::ir
