#include "compiler/codegen/cxx.hpp"

#include "compiler/codegen/emitter.hpp"
#include "compiler/ir/sum.hpp"
#include "compiler/support/paths.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

/// Replaces extents by variables that the task captures: A__mt, and A__has, A__has1, ... for the tiles that are asked
/// for.
ir::ExprRef captureExtents(const ir::ExprRef &expr, std::vector<Capture> &captures) {
  if (expr->kind == ir::ExprKind::Extent) {
    const std::string base = expr->text + "__" + ir::name(expr->extent);
    std::string name = base;
    const auto isOther = [&](const Capture &known) { return known.name == name && !ir::equal(*known.value, *expr); };
    for (int number = 1; std::ranges::any_of(captures, isOther); ++number)
      name = base + std::to_string(number);
    if (std::none_of(captures.begin(), captures.end(), [&](const Capture &known) { return known.name == name; }))
      captures.push_back({name, expr});
    return ir::makeVar(name);
  }
  if (expr->operands.empty())
    return expr;
  auto copy = std::make_shared<ir::Expr>(*expr);
  for (ir::ExprRef &operand : copy->operands)
    operand = captureExtents(operand, captures);
  return copy;
}

void captureVariables(const ir::Program &program, const ir::Expr &expr, std::vector<Capture> &captures) {
  for (const std::string &name : ir::variables(expr))
    if ((!program.findScalar(name) || program.findScalar(name)->ofStage) &&
        std::none_of(captures.begin(), captures.end(), [&](const Capture &known) { return known.name == name; }))
      captures.push_back({name, ir::makeVar(name)});
}

/// The numbers that are not constant are captured, unless they are already.
View captureView(const ir::TileAccess &tile, std::size_t argument, std::vector<Capture> &captures) {
  const auto number = [&](const std::string &name, const ir::ExprRef &expr) {
    if (ir::evaluate(*expr, {}))
      return ir::print(*expr);
    const auto known = std::ranges::find_if(captures, [&](const Capture &c) { return ir::equal(*c.value, *expr); });
    if (known != captures.end())
      return known->name;
    captures.push_back({name + "__" + std::to_string(argument), expr});
    return captures.back().name;
  };
  View view;
  if (tile.within.first)
    view.within = number("from", tile.within.first);
  if (tile.within.count)
    view.within += ", " + number("most", tile.within.count);
  if (tile.rows.first)
    view.rows = number("row", tile.rows.first) + ", " + number("rows", tile.rows.count);
  if (tile.cols.first)
    view.cols = number("col", tile.cols.first) + ", " + number("cols", tile.cols.count);
  return view;
}

/// How many of first, first + step, ... are below end; step null: 1. Division goes towards zero.
ir::ExprRef countOf(const ir::ExprRef &first, const ir::ExprRef &end, const ir::ExprRef &step) {
  ir::ExprRef count = ir::makeBinary(ir::ExprKind::Sub, end, first);
  if (step) {
    const ir::ExprRef more = ir::makeBinary(ir::ExprKind::Sub, step, ir::makeInt(1));
    count = ir::makeBinary(ir::ExprKind::Div, ir::makeBinary(ir::ExprKind::Add, count, more), step);
  }
  return ir::makeBinary(ir::ExprKind::Max, ir::makeInt(0), count);
}

void numberAccesses(TaskPlan &plan) {
  const auto &arguments = plan.task->arguments;
  plan.order = ir::accessOrder(*plan.task);
  plan.firstAccess.resize(arguments.size());
  ir::Sum before;
  for (const std::size_t i : plan.order) {
    plan.firstAccess[i] = ir::toExpr(before);
    const auto &tile = std::get<ir::TileAccess>(arguments[i]);
    std::vector<ir::ExprRef> counts; // whose product is the number of tiles
    if (tile.rowEnd)
      counts.push_back(ir::makeVar(panelLength(i)));
    if (tile.columnEnd)
      counts.push_back(ir::makeVar(sliceCount(i)));
    if (counts.empty())
      ++before.constant;
    else
      before.add(ir::chain(nullptr, ir::ExprKind::Mul, counts), 1);
  }
}

} // namespace

TaskPlan planTask(const ir::Program &program, const ir::Task &task) {
  TaskPlan plan;
  plan.task = &task;
  plan.kernel = program.findKernel(task.kernel);
  plan.name = shortName(task.kernel) + "__" + std::to_string(task.id);
  for (std::size_t i = 0; i < task.arguments.size(); ++i) {
    plan.arguments.push_back(nullptr);
    if (const auto *value = std::get_if<ir::ExprRef>(&task.arguments[i])) {
      captureVariables(program, **value, plan.captures);
      plan.arguments.back() = captureExtents(*value, plan.captures);
    } else {
      const auto &tile = std::get<ir::TileAccess>(task.arguments[i]);
      const auto capture = [&](const std::string &name, const ir::ExprRef &first, const ir::ExprRef &end,
                               const ir::ExprRef &step) {
        if (end)
          plan.captures.push_back({name, countOf(first, end, step)});
      };
      capture(panelLength(i), tile.row, tile.rowEnd, tile.rowStep);
      capture(sliceCount(i), tile.column, tile.columnEnd, nullptr);
    }
  }
  for (std::size_t i = 0; i < task.arguments.size(); ++i) {
    const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i]);
    plan.views.push_back(tile ? captureView(*tile, i, plan.captures) : View());
  }
  numberAccesses(plan);
  return plan;
}

std::string panelLength(std::size_t argument) { return "length__" + std::to_string(argument); }

std::string sliceCount(std::size_t argument) { return "slices__" + std::to_string(argument); }

std::string calledName(const ir::Kernel &kernel) { return "::" + kernel.name; }

std::string shortName(const std::string &kernel) { return kernel.substr(kernel.rfind(':') + 1); }

bool isStandard(const ir::Kernel &kernel) {
  return kernel.name == "tla::" + shortName(kernel.name) && support::isOwnHeader(kernel.location.file);
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string elementName(const ir::Program &program, ir::ElementType type) {
  return type == program.type ? "T" : ir::cxxName(type);
}

std::string matrixTypeName(const ir::Program &program, const ir::Matrix &matrix) {
  static const char *names[] = {"tla::Matrix", "tla::LowerMatrix", "tla::UpperMatrix", "tla::Workspace"};
  return std::string(names[static_cast<int>(matrix.kind)]) + "<" + elementName(program, matrix.type) + ">";
}

std::string scalarTypeName(const ir::Scalar &scalar) {
  const bool own = scalar.type == "T" || scalar.type == "real" || scalar.type == "int";
  return own ? scalar.type : "tla::" + scalar.type;
}

std::string fileName(const std::string &path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string placeOf(const ir::Program &program, const ir::Location &location) {
  return fileName(location.file.empty() ? program.source : location.file) + ":" + std::to_string(location.line);
}

void declareScalars(std::ostream &out, const ir::Program &program, const std::vector<std::string> &used,
                    const std::string &values, const std::string &indent) {
  for (std::size_t i = 0; i < program.scalars.size(); ++i) {
    const ir::Scalar &scalar = program.scalars[i];
    if (std::find(used.begin(), used.end(), scalar.name) != used.end() && !scalar.ofStage)
      out << indent << "const auto " << scalar.name << " = rt::scalar<" << scalarTypeName(scalar) << ">(" << values
          << "[" << i << "]);\n";
  }
}

void declareStage(std::ostream &out, const ir::Program &program, const std::string &indent) {
  if (!program.until)
    return;
  out << indent << "const rt::Stage stage__ = rt::stageOf(arguments);\n";
  const std::pair<const char *, const char *> members[] = {
      {ir::stagePart, "part"}, {ir::stageAt, "at"}, {ir::stageBegun, "begun"}, {ir::stageEnded, "ended"}};
  for (const auto &[name, member] : members)
    out << indent << "[[maybe_unused]] const int " << name << " = stage__." << member << ";\n";
}

bool usesRegions(const ir::Program &program, const std::string &matrix) {
  bool found = false;
  forEachTask(program, [&](const ir::Task &task) {
    for (const ir::Argument &argument : task.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&argument))
        found |= tile->matrix == matrix && tile->touched() != ir::Region::Full;
  });
  return found;
}

std::string descriptionSymbol(const ir::Program &program) {
  return "tla_algorithm_" + program.name + "_" + ir::letter(program.type);
}

std::string Cxx::placeOf(unsigned line) const {
  std::size_t begin = 0;
  for (; line > 1 && begin < text.size(); --line)
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  const auto part = std::ranges::find_if(parts, [&](const Part &each) { return begin < each.end; });
  return part != parts.end() && part->begin <= begin ? part->place : "";
}

std::vector<TaskPlan> planTasks(const ir::Program &program, int *number) {
  std::vector<TaskPlan> plans;
  forEachTask(program, [&](const ir::Task &task) {
    plans.push_back(planTask(program, task));
    if (number && !isStandard(*plans.back().kernel))
      plans.back().ownNumber = (*number)++;
  });
  return plans;
}

bool hasOwnKernels(const ir::Program &program) {
  bool found = false;
  forEachTask(program, [&](const ir::Task &task) { found |= !isStandard(*program.findKernel(task.kernel)); });
  return found;
}

/// Task classes, and `generate` for them.
static void emitTasks(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans) {
  TaskFunctions functions;
  for (const TaskPlan &plan : plans)
    functions.emitClass(out, program, plan);
  emitArgumentChecks(out, program);
  emitGenerate(out, program, plans);
}

static bool castsToComplex(const ir::ExprRef &expr) {
  return (expr->kind == ir::ExprKind::Cast && expr->text.starts_with("complex_")) || // ir::castName
         std::ranges::any_of(expr->operands, castsToComplex);
}

static bool castsToComplex(const ir::Block &block) {
  return std::ranges::any_of(block, [](const ir::Statement &statement) {
    if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
      return castsToComplex((*loop)->init) || castsToComplex((*loop)->condition) || castsToComplex((*loop)->next) ||
             castsToComplex((*loop)->body);
    if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
      return castsToComplex((*branch)->condition) || castsToComplex((*branch)->then) ||
             castsToComplex((*branch)->otherwise);
    if (const auto *call = std::get_if<std::unique_ptr<ir::Call>>(&statement))
      return std::ranges::any_of((*call)->arguments, [](const auto &each) { return castsToComplex(each); });
    return std::ranges::any_of(std::get<std::unique_ptr<ir::Task>>(statement)->arguments, [](const auto &argument) {
      const auto *scalar = std::get_if<ir::ExprRef>(&argument);
      return scalar && castsToComplex(*scalar);
    });
  });
}

void Needs::add(const ir::Program &program, const std::vector<TaskPlan> &plans) {
  const auto isComplex = [](const ir::Scalar &scalar) { return scalar.type.starts_with("complex_"); };
  complexNames |= castsToComplex(program.body) || std::ranges::any_of(program.scalars, isComplex);
  for (const ir::Function &function : program.functions)
    complexNames |= castsToComplex(function.body);
  functions |= !program.functions.empty();
  guardedCalls |= std::ranges::any_of(plans, isGuarded);
  givenHalves |= std::ranges::any_of(plans, checksHalves);
}

void emitHead(std::ostream &out, const ir::Program &program, const CxxOptions &options, const Needs &needs) {
  const bool isComplex = program.type == ir::ElementType::C || program.type == ir::ElementType::Z;
  if (isComplex || needs.complexNames)
    out << "#include <complex>\n";
  out << "#include \"" << options.sourcePath << "\"\n\n#include <tla/generated/generated.hpp>\n";
  if (options.nodeGenerator.program && options.nodeGenerator.program->parts > 1)
    out << "#include <tla/generated/part_transfers.hpp>\n";
  if (program.isDealt())
    out << "#include <tla/generated/dealt.hpp>\n";
  if (needs.functions)
    out << "#include <tla/generated/nested_calls.hpp>\n";
  if (needs.guardedCalls)
    out << "#include <tla/generated/guarded.hpp>\n";
  if (needs.givenHalves)
    out << "#include <tla/generated/guard.hpp>\n";
  if (options.emitMain)
    out << "#include <tla/generated/run_program.hpp>\n";
  if (!options.marches.empty() || !options.processor.empty())
    out << "#include <tla/generated/kernel_versions.hpp>\n";
  for (const std::string &march : options.marches)
    out << "extern \"C\" const tla::runtime::KernelVersion " << versionSymbol(program, march) << ";\n";
  out << "\nnamespace hetc_generated {\nnamespace {\n\nnamespace rt = tla::runtime;\nusing rt::min, rt::max;\nusing "
         "T = "
      << ir::cxxName(program.type) << ";\n[[maybe_unused]] typedef tla::RealType<T> real;\n";
  if (needs.complexNames)
    out << "[[maybe_unused]] typedef std::complex<float> complex_float;\n"
           "[[maybe_unused]] typedef std::complex<double> complex_double;\n";
}

Cxx emitCxx(const ir::Program &program, const CxxOptions &options) {
  int own = 0;
  int *const number = options.marches.empty() ? nullptr : &own;
  const std::vector<TaskPlan> plans = planTasks(program, number);
  CxxWriter out;
  out << "// " << program.name << "<" << ir::cxxName(program.type) << ">, generated by hetc from "
      << fileName(program.source) << "; changes will be lost.\n";
  const ir::Program *const call = options.checkedCall;
  const std::vector<TaskPlan> plansOfCall = call ? planTasks(*call, number) : std::vector<TaskPlan>();
  Needs needs;
  needs.add(program, plans);
  if (call)
    needs.add(*call, plansOfCall);
  emitHead(out, program, options, needs);
  emitVersionChoice(out, program, options);
  emitTasks(out, program, plans);
  emitCountTasks(out, program);
  if (options.nodeGenerator.program)
    emitGenerateNode(out, program, plans, options.nodeGenerator);
  if (call) {
    out << "\n// " << call->name << ", which the check calls.\nnamespace checked {\n";
    emitTasks(out, *call, plansOfCall);
    out << "} // namespace checked\n";
  }
  if (program.until)
    emitStages(out, program);
  emitDescription(out, program, options);
  const std::string symbol = descriptionSymbol(program);
  out << "\n} // namespace\n\nextern \"C\" const rt::Algorithm " << symbol << ";\nconst rt::Algorithm " << symbol
      << " = description;\n\n} // namespace hetc_generated\n";
  if (options.emitMain)
    out << "\nint main(int argc, char **argv) {\n  return tla::host::runProgram(hetc_generated::description, "
           "argc, "
           "argv);\n}\n";
  return out.take();
}

} // namespace hetc::codegen
