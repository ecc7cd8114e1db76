#include "compiler/ir/captures.hpp"

#include <set>

namespace hetc::ir {

namespace {
void collect(const Expr &expr, const Program &program, std::set<std::string> &captured) {
  if (expr.kind == ExprKind::Extent || (expr.kind == ExprKind::Var && !program.findScalar(expr.text)))
    captured.insert(print(expr));
  for (const ExprRef &operand : expr.operands)
    collect(*operand, program, captured);
}
} // namespace

std::size_t countCaptures(const Program &program, const Task &task) {
  std::size_t lengths = 0;
  std::set<std::string> captured;
  for (const Argument &argument : task.arguments) {
    const auto *tile = std::get_if<TileAccess>(&argument);
    if (!tile) {
      collect(*std::get<ExprRef>(argument), program, captured);
      continue;
    }
    lengths += (tile->rowEnd != nullptr) + (tile->columnEnd != nullptr);
    for (const Strip &strip : {tile->rows, tile->cols, tile->within})
      for (const ExprRef &number : {strip.first, strip.count})
        if (number && !evaluate(*number, {}))
          captured.insert(print(*number));
  }
  return lengths + captured.size();
}

} // namespace hetc::ir
