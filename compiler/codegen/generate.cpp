#include "compiler/codegen/emitter.hpp"

#include <map>

namespace hetc::codegen {

namespace {

class GenerateEmitter {
public:
  GenerateEmitter(std::ostream &out, const ir::Program &program, const std::vector<TaskPlan> &plans)
      : out_(out), program_(program) {
    for (const TaskPlan &plan : plans)
      plans_[plan.task->id] = &plan;
  }

  void emit() {
    out_ << "\nvoid generate(rt::Generator &tasks, [[maybe_unused]] const rt::Arguments &arguments) {\n";
    out_ << "  tasks.setParameters(arguments.scalars);\n";
    std::vector<std::string> names;
    for (const ir::Scalar &scalar : program_.scalars)
      names.push_back(scalar.name);
    declareScalars(out_, program_, names, "arguments.scalars", "  [[maybe_unused]] ");
    std::size_t parameter = 0;
    for (const ir::Matrix &matrix : program_.matrices)
      program_.isParameter(matrix) ? declareMatrix(matrix, parameter++) : declareWorkspace(matrix);
    emitBlock(program_.body, 1);
    out_ << "}\n";
  }

private:
  void declareMatrix(const ir::Matrix &matrix, std::size_t parameter) {
    out_ << "  const " << matrixTypeName(program_, matrix) << " " << matrix.name << "(*arguments.matrices[" << parameter
         << "]);\n";
    declareTiles(matrix, "matrix");
  }

  void declareWorkspace(const ir::Matrix &matrix) {
    out_ << "  const " << matrixTypeName(program_, matrix) << " " << matrix.name << "(*tla::Storage::makeWorkspace("
         << ir::print(*matrix.rows) << ", " << ir::print(*matrix.cols) << ", " << ir::print(*matrix.tileRows) << ", "
         << (matrix.isCut() ? "" : ir::print(*matrix.tileCols) + ", ") << "sizeof("
         << elementName(program_, matrix.type) << ")));\n";
    out_ << "  tasks.keep(tla::StorageRef(&" << matrix.name << ".storage()));\n";
    declareTiles(matrix, "workspace");
  }

  void declareTiles(const ir::Matrix &matrix, const char *function) {
    out_ << "  [[maybe_unused]] rt::TileTable &" << tiles(matrix.name) << " = tasks." << function << "(" << matrix.name
         << ".storage(), \"" << matrix.name << "\"" << (usesRegions(program_, matrix.name) ? ", /*regions=*/true" : "")
         << ");\n";
  }

  void emitBlock(const ir::Block &block, int depth) {
    for (const ir::Statement &statement : block) {
      if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
        emitLoop(**loop, depth);
      else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
        emitIf(**branch, depth);
      else
        emitTask(*std::get<std::unique_ptr<ir::Task>>(statement), depth);
    }
  }

  void emitLoop(const ir::Loop &loop, int depth) {
    indent(depth) << "for (int " << loop.variable << " = " << ir::print(*loop.init) << "; " << condition(loop) << "; "
                  << step(loop) << ") {\n";
    ++loops_;
    emitBlock(loop.body, depth + 1);
    --loops_;
    indent(depth) << "}\n";
  }

  /// A run that has failed ends at the next iteration of an outermost loop, or of one that nothing says will end.
  std::string condition(const ir::Loop &loop) const {
    const std::string text = ir::print(*loop.condition);
    if (loops_ > 0 && hasConstantStep(loop))
      return text;
    const bool loose = loop.condition->kind == ir::ExprKind::Or || loop.condition->kind == ir::ExprKind::Select;
    return (loose ? "(" + text + ")" : text) + " && !tasks.stopped()";
  }

  static bool hasConstantStep(const ir::Loop &loop) {
    const ir::Expr &next = *loop.next;
    return (next.kind == ir::ExprKind::Add || next.kind == ir::ExprKind::Sub) &&
           next.operands[0]->kind == ir::ExprKind::Var && next.operands[0]->text == loop.variable &&
           next.operands[1]->kind == ir::ExprKind::Int;
  }

  /// "++k", "k += 2", "k -= 1", or "k = ..." for anything else.
  static std::string step(const ir::Loop &loop) {
    const ir::Expr &next = *loop.next;
    const bool adds = next.kind == ir::ExprKind::Add || next.kind == ir::ExprKind::Sub;
    if (!adds || next.operands[0]->kind != ir::ExprKind::Var || next.operands[0]->text != loop.variable)
      return loop.variable + " = " + ir::print(next);
    const bool one = next.operands[1]->kind == ir::ExprKind::Int && next.operands[1]->value == 1;
    const char *op = next.kind == ir::ExprKind::Add ? "+" : "-";
    return one ? std::string(op) + op + loop.variable : loop.variable + " " + op + "= " + ir::print(*next.operands[1]);
  }

  void emitIf(const ir::If &branch, int depth) {
    indent(depth);
    const ir::If *rest = &branch;
    for (;;) { // an else that holds nothing but an if continues the chain
      out_ << "if (" << ir::print(*rest->condition) << ") {\n";
      emitBlock(rest->then, depth + 1);
      const auto *next =
          rest->otherwise.size() == 1 ? std::get_if<std::unique_ptr<ir::If>>(&rest->otherwise[0]) : nullptr;
      if (!next)
        break;
      indent(depth) << "} else ";
      rest = next->get();
    }
    if (!rest->otherwise.empty()) {
      indent(depth) << "} else {\n";
      emitBlock(rest->otherwise, depth + 1);
    }
    indent(depth) << "}\n";
  }

  void emitTask(const ir::Task &task, int depth) {
    const TaskPlan &plan = *plans_.at(task.id);
    bool panels = false;
    std::string list;
    for (const std::size_t i : plan.order) {
      const auto &tile = std::get<ir::TileAccess>(task.arguments[i]);
      panels |= tile.rowEnd != nullptr;
      list += (list.empty() ? "" : ", ") + access(tile);
    }
    if (panels)
      emitPanelTask(task, plan, depth);
    else
      indent(depth) << "rt::append(tasks, " << plan.name << ", " << priority(task) << ", {" << indices(plan) << "}, {"
                    << list << "});\n";
    for (const ir::TileAccess &tile : task.releases)
      indent(depth) << "tasks.release(" << tiles(tile.matrix) << ", " << ir::print(*tile.row) << ", "
                    << ir::print(*tile.column) << ");\n";
  }

  void emitPanelTask(const ir::Task &task, const TaskPlan &plan, int depth) {
    indent(depth) << "{\n";
    indent(depth + 1) << "rt::AccessList accesses__;\n";
    for (const std::size_t i : plan.order)
      indent(depth + 1) << "accesses__.add(" << access(std::get<ir::TileAccess>(task.arguments[i])) << ");\n";
    indent(depth + 1) << "rt::append(tasks, " << plan.name << ", " << priority(task) << ", {" << indices(plan)
                      << "}, accesses__);\n";
    indent(depth) << "}\n";
  }

  std::string access(const ir::TileAccess &tile) const {
    if (tile.rowEnd)
      return "rt::PanelAccess{&" + tiles(tile.matrix) + ", " + ir::print(*tile.row) + ", " + ir::print(*tile.rowEnd) +
             ", " + ir::print(*tile.column) +
             ", rt::Access::" + (tile.access == ir::Access::Read ? "Read" : "ReadWrite") + "}";
    static const char *functions[] = {"rt::read(", "rt::readWrite(", "rt::write("};
    static const char *regions[] = {"", ", tla::Region::Lower", ", tla::Region::Upper"};
    return functions[static_cast<int>(tile.access)] + tiles(tile.matrix) + ", " + ir::print(*tile.row) + ", " +
           ir::print(*tile.column) + regions[static_cast<int>(tile.region)] + ")";
  }

  static std::string tiles(const std::string &matrix) { return matrix + "__tiles"; }

  static std::string priority(const ir::Task &task) { return task.priority ? ir::print(*task.priority) : "0"; }

  static std::string indices(const TaskPlan &plan) {
    std::string text;
    for (const Capture &capture : plan.captures)
      text += (text.empty() ? "" : ", ") + ir::print(*capture.value);
    return text;
  }

  std::ostream &indent(int depth) { return out_ << std::string(2 * depth, ' '); }

  std::ostream &out_;
  const ir::Program &program_;
  std::map<unsigned, const TaskPlan *> plans_;
  int loops_ = 0; ///< around the statement being emitted
};

} // namespace

void emitGenerate(std::ostream &out, const ir::Program &program, const std::vector<TaskPlan> &plans) {
  GenerateEmitter(out, program, plans).emit();
}

} // namespace hetc::codegen
