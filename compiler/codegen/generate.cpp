#include "compiler/codegen/append.hpp"

#include "compiler/ir/loop_ends.hpp"

namespace hetc::codegen {

namespace {

/// How many tasks, loops and conditions a function may have that is optimized. The time of optimizers grows faster:
/// those of 200 take two seconds, and less than half of one without.
constexpr std::size_t longestOptimized = 60;

std::size_t statementsIn(const ir::Block &block) {
  std::size_t size = 0;
  for (const ir::Statement &statement : block) {
    ++size;
    if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
      size += statementsIn((*loop)->body);
    else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
      size += statementsIn((*branch)->then) + statementsIn((*branch)->otherwise);
  }
  return size;
}

class GenerateEmitter {
public:
  GenerateEmitter(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans)
      : out_(out), program_(program), appender_(out, program, plans), ends_(ir::loopEnds(program)) {}

  void emit() {
    out_ << "\n"
         << optimization(program_)
         << "void generate(rt::Generator &tasks, [[maybe_unused]] const rt::Arguments &arguments) {\n";
    if (checksArguments(program_))
      indent(1) << "requireArguments(arguments);\n";
    appender_.declareArguments();
    declareFunctions(out_, program_);
    for (const ir::Function &function : program_.functions) {
      beginFunction(out_, program_, function);
      appender_.endWhenStopped(2);
      emitBlock(function.body, 2);
      endFunction(out_);
    }
    emitBlock(program_.body, 1);
    out_ << "}\n";
  }

private:
  void emitBlock(const ir::Block &block, int depth) {
    for (const ir::Statement &statement : block) {
      if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
        emitLoop(**loop, depth);
      else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
        emitIf(**branch, depth);
      else if (const auto *call = std::get_if<std::unique_ptr<ir::Call>>(&statement))
        indent(depth) << callText(program_, appender_.integers(), **call) << ";\n";
      else
        emitTask(*std::get<std::unique_ptr<ir::Task>>(statement), depth);
    }
  }

  void emitLoop(const ir::Loop &loop, int depth) {
    indent(depth) << loopHead(program_, appender_.integers(), loop, ends_.at(&loop)) << " {\n";
    if (loops_ == 0 || !hasConstantStep(loop))
      appender_.endWhenStopped(depth + 1);
    ++loops_;
    emitBlock(loop.body, depth + 1);
    --loops_;
    // Each iteration calls anew what has these workspaces. Where an element ends the loop the run sees to that
    // (Stages::ofCalls): here the loop is that of one part of an iteration.
    if (program_.checksContent && !(program_.until && program_.until->loop == loop.variable))
      for (const ir::Matrix &matrix : program_.matrices)
        if (!matrix.madeIn.empty() && matrix.madeIn.back() == loop.variable)
          emitReleases(matrix, depth + 1);
    indent(depth) << "}\n";
  }

  /// Nobody uses it behind the iteration.
  void emitReleases(const ir::Matrix &matrix, int depth) {
    const std::string storage = matrix.name + ".storage()";
    indent(depth) << "for (int column__ = 0; column__ < " << storage << ".ns(); ++column__)\n";
    indent(depth + 1) << "for (int row__ = 0; row__ < " << storage << ".mt(); ++row__)\n";
    indent(depth + 2) << "tasks.release(" << TaskAppender::tiles(matrix.name) << ", row__, column__);\n";
  }

  static bool hasConstantStep(const ir::Loop &loop) {
    const ir::Expr &next = *loop.next;
    return (next.kind == ir::ExprKind::Add || next.kind == ir::ExprKind::Sub) &&
           next.operands[0]->kind == ir::ExprKind::Var && next.operands[0]->text == loop.variable &&
           next.operands[1]->kind == ir::ExprKind::Int;
  }

  void emitIf(const ir::If &branch, int depth) {
    indent(depth);
    const ir::If *rest = &branch;
    for (;;) { // an else that holds nothing but an if continues the chain
      out_ << "if (" << appender_.integers().value(rest->condition) << ") {\n";
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
    appender_.append(task, {}, depth);
    for (const ir::TileAccess &tile : task.releases)
      indent(depth) << "tasks.release(" << TaskAppender::tiles(tile.matrix) << ", " << index(task, tile.row) << ", "
                    << index(task, tile.column) << ");\n";
  }

  std::string index(const ir::Task &task, const ir::ExprRef &expr) {
    return appender_.integers().asInt(expr, placeOf(program_, task.location));
  }

  std::ostream &indent(int depth) { return appender_.indent(depth); }

  std::ostream &out_;
  const ir::Program &program_;
  TaskAppender appender_;
  const std::map<const ir::Loop *, ir::LoopEnd> ends_;
  int loops_ = 0; ///< around the statement being emitted
};

} // namespace

const char *optimization(const ir::Program &program) {
  std::size_t size = statementsIn(program.body) + program.matrices.size();
  for (const ir::Function &function : program.functions)
    size += statementsIn(function.body);
  return size > longestOptimized ? "[[clang::optnone]] " : "";
}

void emitGenerate(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans) {
  GenerateEmitter(out, program, plans).emit();
}

} // namespace hetc::codegen
