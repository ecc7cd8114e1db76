#include "compiler/codegen/append.hpp"

#include "compiler/ir/loop_ends.hpp"

#include <algorithm>
#include <cassert>

namespace hetc::codegen {

TaskAppender::TaskAppender(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans)
    : out_(out), program_(program), integers_(program) {
  for (const TaskPlan &plan : plans)
    plans_[plan.task->id] = &plan;
}

namespace {

/// How the matrices of the run are cut.
std::string cut(const ir::Program &program) {
  const auto isCut = [&](const ir::Matrix &matrix) { return matrix.isSliced() && program.isParameter(matrix); };
  const auto matrix = std::ranges::find_if(program.matrices, isCut);
  assert(matrix != program.matrices.end() && "a workspace is cut as the parameter whose tile size it has");
  return matrix->name + ".storage().cut()";
}

} // namespace

std::string newStorage(const ir::Program &program, const ir::Matrix &matrix) {
  const Integers integers(program);
  const std::string what = "the size of workspace " + matrix.name;
  const auto number = [&](const ir::ExprRef &size) { return integers.asInt(size, what); };
  if (matrix.layers()) {
    const ir::Matrix &of = *program.findMatrix(matrix.layers()->of);
    const ir::Dealt &dealt = *of.dealt();
    return "tla::Storage::makeLayers(" + number(matrix.rows) + ", " + number(matrix.cols) + ", " +
           number(matrix.tileRows) + ", " + of.name + ".deal(" + number(dealt.rows) + ", " + number(dealt.columns) +
           ", " + number(dealt.steps) + "), sizeof(" + elementName(program, matrix.type) + "))";
  }
  const auto elements = [&](const ir::ExprRef &tiles, const ir::ExprRef &each) { // which are an int as well
    const ir::ExprRef product = ir::makeBinary(ir::ExprKind::Mul, tiles, each);
    return intRange.holds(integers.rangeOf(product)) ? number(tiles)
                                                     : "rt::factor(" + number(tiles) + ", " + number(each) + ", " +
                                                           quoted(ir::print(*product)) + ", " + quoted(what) + ")";
  };
  return "tla::Storage::makeWorkspace(" +
         (matrix.isCut() ? number(matrix.rows) + ", " + number(matrix.cols) + ", " + number(matrix.tileRows)
                         : elements(matrix.rows, matrix.tileRows) + ", " + elements(matrix.cols, matrix.tileCols) +
                               ", " + number(matrix.tileRows) + ", " + number(matrix.tileCols)) +
         ", sizeof(" + elementName(program, matrix.type) + ")" + (matrix.isSliced() ? ", " + cut(program) : "") + ")";
}

void declareHandles(std::ostream &out, const ir::Program &program) {
  std::vector<std::string> names;
  for (const ir::Scalar &scalar : program.scalars)
    names.push_back(scalar.name);
  declareScalars(out, program, names, "arguments.scalars", "  [[maybe_unused]] ");
  declareStage(out, program, "  ");
  std::size_t parameter = 0;
  for (const ir::Matrix &matrix : program.matrices)
    out << "  [[maybe_unused]] const "
        << (matrix.dealt() ? "rt::Dealt<" + matrixTypeName(program, matrix) + ">" : matrixTypeName(program, matrix))
        << " " << matrix.name << "(*"
        << (program.isParameter(matrix) ? "arguments.matrices[" + std::to_string(parameter++) + "]"
                                        : newStorage(program, matrix))
        << (matrix.dealt() ? ", arguments.taskMap" : "") << ");\n";
}

/// The step of a loop that nothing proves to end: refused where it does not go on, or leaves int.
static std::string checkedStep(const ir::Program &program, const Integers &integers, const ir::Loop &loop,
                               int direction, const std::string &onwards) {
  const auto [size, adds] = ir::stepSize(loop);
  const ir::ExprRef next = size ? ir::makeBinary(adds ? ir::ExprKind::Add : ir::ExprKind::Sub,
                                                 ir::makeCast("long", ir::makeVar(loop.variable)), size)
                                : loop.next;
  const std::string call = direction ? "rt::advance(" : "rt::advanceEither(";
  return loop.variable + " = " + call + loopText(program, loop) + ", " +
         (direction ? std::to_string(direction) : onwards) + ", " + loop.variable + ", " + integers.value(next) + ")";
}

std::string loopHead(const ir::Program &program, const Integers &integers, const ir::Loop &loop,
                     const ir::LoopEnd &end) {
  const std::string onwards = "onwards__" + loop.variable;
  const bool isPlain = end.proved && integers.staysInt(loop);
  return "for (int " + loop.variable + " = " + integers.asInt(loop.init, placeOf(program, loop.location)) +
         (isPlain || end.direction ? "" : ", " + onwards + " = 0") + "; " + integers.condition(loop) + "; " +
         (isPlain ? ir::printStep(loop) : checkedStep(program, integers, loop, end.direction, onwards)) + ")";
}

/// A function is a variable of the one that generates or counts tasks, so that it knows the names of matrices and
/// scalars there, and may call all others.
static std::string nameOf(const std::string &function) { return "call__" + function; }

void declareFunctions(std::ostream &out, const ir::Program &program) {
  if (program.functions.empty())
    return;
  out << "  rt::Nesting calls__;\n";
  for (const ir::Function &function : program.functions) {
    std::string types;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      types += i ? ", int" : "int";
    out << "  std::function<void(" << types << ")> " << nameOf(function.name) << ";\n";
  }
}

void beginFunction(std::ostream &out, const ir::Program &program, const ir::Function &function) {
  std::string parameters;
  for (const std::string &name : function.parameters)
    parameters += (parameters.empty() ? "[[maybe_unused]] int " : ", [[maybe_unused]] int ") + name;
  out << "  " << nameOf(function.name) << " = [&](" << parameters << ") {\n"
      << "    const rt::NestedCall nested__(calls__, " << quoted(placeOf(program, function.location)) << ", "
      << quoted(function.algorithm) << ");\n";
  for (const ir::Requirement &requirement : function.requirements)
    emitRequirement(out, program, requirement, function.parameters);
}

void endFunction(std::ostream &out) { out << "  };\n"; }

std::string callText(const ir::Program &program, const Integers &integers, const ir::Call &call) {
  std::string arguments;
  for (const ir::ExprRef &argument : call.arguments)
    arguments += (arguments.empty() ? "" : ", ") + integers.asInt(argument, placeOf(program, call.location));
  return nameOf(call.function) + "(" + arguments + ")";
}

void TaskAppender::declareArguments() {
  out_ << "  tasks.setParameters(arguments.scalars);\n";
  declareHandles(out_, program_);
  for (const ir::Matrix &matrix : program_.matrices) {
    if (program_.copies > 1)
      out_ << "  " << matrix.name << ".storage().setByRows("
           << (matrix.byRows() ? integers_.value(matrix.byRows()) : "false") << ");\n";
    if (matrix.copy())
      out_ << "  " << matrix.name << ".storage().setCopy(" << matrix.copy() << ");\n";
    if (!program_.isParameter(matrix))
      out_ << "  tasks.keep(tla::StorageRef(&" << matrix.name << ".storage()));\n";
    declareTiles(matrix, program_.isParameter(matrix) ? "matrix" : "workspace");
    if (matrix.layers())
      out_ << "  " << matrix.layers()->of << ".place(" << tiles(matrix.layers()->of) << ", " << tiles(matrix.name)
           << ");\n";
  }
}

void TaskAppender::declareTiles(const ir::Matrix &matrix, const char *function) {
  out_ << "  [[maybe_unused]] rt::TileTable &" << tiles(matrix.name) << " = tasks." << function << "(" << matrix.name
       << ".storage(), \"" << matrix.name << "\"" << (usesRegions(program_, matrix.name) ? ", /*regions=*/true" : "")
       << ");\n";
}

void TaskAppender::append(const ir::Task &task, const std::map<std::string, ir::ExprRef> &indices, int depth) {
  indices_ = &indices;
  variables_ = &task.variables;
  place_ = placeOf(program_, task.location);
  const CxxWriter::Statement statement(out_, place_);
  const TaskPlan &plan = *plans_.at(task.origin.value_or(task.id));
  bool panels = false;
  std::string list;
  for (const std::size_t i : plan.order) {
    const auto &tile = std::get<ir::TileAccess>(task.arguments[i]);
    panels |= tile.isRun();
    list += (list.empty() ? "" : ", ") + access(tile);
  }
  if (panels)
    appendWithPanels(task, plan, depth);
  else
    indent(depth) << "rt::append(tasks, " << plan.name << ", " << priority(task) << ", {" << this->indices(plan)
                  << "}, {" << list << "});\n";
}

void TaskAppender::appendWithPanels(const ir::Task &task, const TaskPlan &plan, int depth) {
  indent(depth) << "{\n";
  indent(depth + 1) << "rt::AccessList accesses__;\n";
  for (const std::size_t i : plan.order)
    indent(depth + 1) << "accesses__.add(" << access(std::get<ir::TileAccess>(task.arguments[i])) << ");\n";
  indent(depth + 1) << "rt::append(tasks, " << plan.name << ", " << priority(task) << ", {" << indices(plan)
                    << "}, accesses__);\n";
  indent(depth) << "}\n";
}

std::string TaskAppender::access(const ir::TileAccess &tile) const {
  static const char *accesses[] = {"Read", "ReadWrite", "Write"};
  const std::string step = tile.rowStep ? ", " + text(tile.rowStep) : "";
  if (tile.columnEnd) {
    const ir::ExprRef rowEnd = tile.rowEnd ? tile.rowEnd : ir::makeBinary(ir::ExprKind::Add, tile.row, ir::makeInt(1));
    return "rt::BlockAccess{&" + tiles(tile.matrix) + ", " + text(tile.row) + ", " + text(rowEnd) + ", " +
           text(tile.column) + ", " + text(tile.columnEnd) +
           ", rt::Access::" + accesses[static_cast<int>(tile.access)] + step + "}";
  }
  if (tile.rowEnd)
    return "rt::PanelAccess{&" + tiles(tile.matrix) + ", " + text(tile.row) + ", " + text(tile.rowEnd) + ", " +
           text(tile.column) + ", rt::Access::" + (tile.access == ir::Access::Read ? "Read" : "ReadWrite") + step + "}";
  static const char *functions[] = {"rt::read(", "rt::readWrite(", "rt::write("};
  static const char *regions[] = {"", ", tla::Region::Lower", ", tla::Region::Upper"};
  return functions[static_cast<int>(tile.access)] + tiles(tile.matrix) + ", " + text(tile.row) + ", " +
         text(tile.column) + regions[static_cast<int>(tile.touched())] + ")";
}

std::string TaskAppender::priority(const ir::Task &task) const {
  return task.priority ? integers_.nearestInt(ir::substitute(task.priority, *indices_)) : "0";
}

std::string TaskAppender::indices(const TaskPlan &plan) const { // whose expressions are those of the origin
  std::string result;
  for (const Capture &capture : plan.captures)
    result += (result.empty() ? "" : ", ") + text(ir::substitute(capture.value, *variables_));
  return result;
}

std::string TaskAppender::text(const ir::ExprRef &expr) const {
  return integers_.asInt(ir::substitute(expr, *indices_), place_);
}

} // namespace hetc::codegen
