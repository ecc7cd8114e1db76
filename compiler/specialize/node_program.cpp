#include "compiler/specialize/node_program.hpp"

#include "compiler/ir/text.hpp"

#include <algorithm>
#include <sstream>

namespace hetc::specialize {

namespace {

std::string call(const std::string &name, const std::vector<std::string> &arguments) {
  std::string text = name + "(";
  for (const std::string &argument : arguments)
    text.append(&argument == &arguments.front() ? "" : ", ").append(argument);
  return text + ")";
}

std::string regionText(ir::Region region) {
  return region == ir::Region::Full ? "" : region == ir::Region::Lower ? ".lower()" : ".upper()";
}

class NodePrinter {
public:
  std::string print(const Block &block) {
    printBlock(block, 0);
    return out_.str();
  }

private:
  void printBlock(const Block &block, int depth) {
    for (const Statement &statement : block) {
      out_ << std::string(2 * depth, ' ');
      std::visit([&](const auto &child) { printStatement(child, depth); }, statement);
    }
  }

  void printStatement(const std::unique_ptr<Loop> &loop, int depth) {
    const std::string &v = loop->variable;
    out_ << "for (int " << v;
    if (loop->ranges.size() == 1) {
      const Range &range = loop->ranges.front();
      out_ << " = " << ir::print(*range.first) << "; " << ir::print(*isWithin(v, range)) << "; "
           << (range.step == 1 ? "++" + v : v + " += " + std::to_string(range.step));
    } else
      for (const Range &range : loop->ranges)
        out_ << (&range == &loop->ranges.front() ? " in\n" : ",\n") << std::string(2 * depth + 5, ' ') << text(range);
    out_ << ")";
    printBody(loop->body, depth);
    out_ << "\n";
  }

  static std::string text(const Range &range) {
    std::string result = range.member + ": [" + ir::print(*range.first) + ", " + ir::print(*range.last) + "]";
    if (range.step != 1)
      result += " step " + std::to_string(range.step);
    return range.when ? result + " if " + ir::print(*range.when) : result;
  }

  void printStatement(const std::unique_ptr<If> &branch, int depth) {
    out_ << "if (" << ir::print(*branch->condition) << ")";
    printBody(branch->then, depth);
    out_ << "\n";
  }

  void printStatement(const Let &let, int) {
    out_ << "const bool " << let.name << " = " << ir::print(*let.value) << "\n";
  }

  void printBody(const Block &block, int depth) {
    out_ << " {\n";
    printBlock(block, depth + 1);
    out_ << std::string(2 * depth, ' ') << "}";
  }

  void printStatement(const OwnTask &own, int) {
    const Values &values = own.indices;
    std::vector<std::string> arguments;
    for (const ir::Argument &argument : own.task->arguments) {
      const auto *tile = std::get_if<ir::TileAccess>(&argument);
      arguments.push_back(tile ? text(*tile, values) : text(std::get<ir::ExprRef>(argument), values));
    }
    const std::string &kernel = own.task->kernel;
    out_ << call(kernel.substr(kernel.rfind(':') + 1), arguments) << "\n";
  }

  void printStatement(const Transfer &transfer, int) {
    static const char *verbs[] = {"send ", "receive ", "release "}, *sides[] = {" to ", " from "};
    const int kind = static_cast<int>(transfer.kind);
    out_ << verbs[kind] << transfer.matrix
         << call("", {ir::print(*transfer.row), ir::print(*transfer.column)}) + regionText(transfer.region);
    if (transfer.peerX)
      out_ << sides[kind] << call("", {ir::print(*transfer.peerX), ir::print(*transfer.peerY)});
    out_ << "\n";
  }

  using Values = std::map<std::string, ir::ExprRef>;
  static std::string text(const ir::ExprRef &expr, const Values &values) {
    return ir::print(*ir::substitute(expr, values));
  }
  static std::string text(const ir::TileAccess &tile, const Values &values) {
    return ir::print(ir::substitute(tile, values));
  }

  std::ostringstream out_;
};

/// The expression with the values of its constant parts in their place.
ir::ExprRef folded(const ir::ExprRef &expr) {
  if (const auto value = ir::evaluate(*expr, {}); value && expr->kind != ir::ExprKind::Enum)
    return *value < 0 ? ir::makeUnary(ir::ExprKind::Neg, ir::makeInt(-*value)) : ir::makeInt(*value);
  auto copy = std::make_shared<ir::Expr>(*expr);
  for (ir::ExprRef &operand : copy->operands)
    operand = folded(operand);
  return copy;
}

/// A copy with names replaced.
class Substitution {
public:
  explicit Substitution(std::map<std::string, ir::ExprRef> values) : values_(std::move(values)) {}

  Block copy(const Block &block) const {
    Block result;
    for (const Statement &statement : block)
      result.push_back(std::visit([this](const auto &child) -> Statement { return copy(child); }, statement));
    return result;
  }

private:
  ir::ExprRef copy(const ir::ExprRef &expr) const { return expr ? folded(ir::substitute(expr, values_)) : nullptr; }
  std::unique_ptr<Loop> copy(const std::unique_ptr<Loop> &loop) const {
    auto result = std::make_unique<Loop>();
    result->variable = loop->variable;
    for (const Range &range : loop->ranges)
      result->ranges.push_back({copy(range.first), copy(range.last), range.step, copy(range.when), range.member});
    result->body = copy(loop->body);
    return result;
  }
  std::unique_ptr<If> copy(const std::unique_ptr<If> &branch) const {
    return std::make_unique<If>(If{copy(branch->condition), copy(branch->then)});
  }
  Let copy(const Let &let) const { return {let.name, copy(let.value)}; }
  OwnTask copy(const OwnTask &own) const {
    OwnTask result = own;
    for (auto &[variable, index] : result.indices)
      index = copy(index);
    return result;
  }
  Transfer copy(const Transfer &transfer) const {
    Transfer result = transfer;
    for (ir::ExprRef *expr : {&result.row, &result.column, &result.peerX, &result.peerY, &result.priority})
      *expr = copy(*expr);
    for (ir::ExprRef &expr : result.version)
      expr = copy(expr);
    return result;
  }

  std::map<std::string, ir::ExprRef> values_;
};

} // namespace

ir::ExprRef isWithin(const std::string &variable, const Range &range) {
  const ir::Expr &last = *range.last;
  const bool minusOne =
      last.kind == ir::ExprKind::Sub && last.operands[1]->kind == ir::ExprKind::Int && last.operands[1]->value == 1;
  return minusOne ? ir::makeBinary(ir::ExprKind::Lt, ir::makeVar(variable), last.operands[0])
                  : ir::makeBinary(ir::ExprKind::Le, ir::makeVar(variable), range.last);
}

std::string print(const NodeProgram &nodeProgram) { return NodePrinter().print(nodeProgram.body); }

Block withNames(const Block &block, const std::map<std::string, ir::ExprRef> &values) {
  return Substitution(values).copy(block);
}

namespace {

/// Zeros behind what tells versions apart, which then has `length` members.
void lengthenVersions(Block &block, std::size_t length) {
  for (Statement &statement : block)
    if (auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
      lengthenVersions((*loop)->body, length);
    else if (auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
      lengthenVersions((*branch)->then, length);
    else if (auto *transfer = std::get_if<Transfer>(&statement); transfer && !transfer->version.empty())
      transfer->version.resize(length, ir::makeInt(0));
}

} // namespace

void append(const ir::ExprRef &condition, NodeProgram &&nodeProgram, NodeProgram &all) {
  auto branch = std::make_unique<If>();
  branch->condition = condition;
  branch->then = std::move(nodeProgram.body);
  all.body.push_back(std::move(branch));
  all.parts = nodeProgram.parts;
  all.versionLength = std::max(all.versionLength, nodeProgram.versionLength);
  lengthenVersions(all.body, all.versionLength);
}

PartNames partNames(int part) {
  const std::string number = std::to_string(part);
  return {nodeX + number, nodeY + number, "part__" + number};
}

NodeProgram atNode(const NodeProgram &nodeProgram, const std::vector<std::pair<int, int>> &parts) {
  std::map<std::string, ir::ExprRef> values;
  if (nodeProgram.parts == 1)
    values = {{nodeX, ir::makeInt(parts.front().first)}, {nodeY, ir::makeInt(parts.front().second)}};
  else
    for (int part = 0; part < nodeProgram.parts; ++part) {
      const PartNames names = partNames(part);
      const bool exists = part < static_cast<int>(parts.size());
      values[names.x] = ir::makeInt(exists ? parts[part].first : 0);
      values[names.y] = ir::makeInt(exists ? parts[part].second : 0);
      values[names.exists] = ir::makeInt(exists);
    }
  return {Substitution(std::move(values)).copy(nodeProgram.body), nodeProgram.parts, nodeProgram.versionLength};
}

} // namespace hetc::specialize
