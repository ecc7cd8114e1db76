// The text form, by example (the grammar is parser.cpp's):
//
//   program cholesky(A) type d source "algorithms/cholesky.tla" {
//     size n
//     LowerMatrix<d> A(n, n) input(spd) @6:15
//     check llt(A)
//     kernel tla::trsm<T>(side, uplo, op, diag, alpha, read A, rw B) flops "..." @"tla/kernels/kernels.hpp":21:29
//
//     for (int k = 0; k < A.nt(); ++k) @7:3 {
//       task 1 tla::trsm(Right, Lower, ConjTrans, NonUnit, T(1), read A(k, k), rw A(i, k)) priority(-k) @12:7 (53, 62)
//     }
//   }
//
// @line:column, or @"file":line:column outside the main file, is a place in the source. A task's is followed by those
// of its tiles, arguments then releases, in as few words as they need: a column on the task's own line, line:column, or
// '-'.
#include "compiler/ir/spelling.hpp"
#include "compiler/ir/until.hpp"

namespace hetc::ir {

namespace {

/// Puts a text in double quotes, with \" \\ \n \t escaped.
std::string quote(std::string_view content) {
  std::string result = "\"";
  for (char c : content) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n' || c == '\t')
      result += c == '\n' ? "\\n" : "\\t";
    else
      result += c;
  }
  return result + "\"";
}
class Printer {
public:
  std::string run(const Program &program) {
    text_ = "program " + program.name + "(" + join(program.parameterOrder) + ") type " + letter(program.type) +
            " source " + quote(program.source) + " {\n";
    ++depth_;
    printDeclarations(program);
    until_ = program.until ? &*program.until : nullptr;
    for (const Function &function : program.functions)
      printFunction(function);
    text_ += '\n';
    printBlock(program.body);
    --depth_;
    return std::move(text_) + "}\n";
  }

  static std::string tile(const TileAccess &access) {
    std::string result = access.matrix;
    std::vector<ExprRef> indices = {access.row};
    for (const ExprRef &index : {access.rowEnd, access.column, access.columnEnd})
      if (index)
        indices.push_back(index);
    result += (access.rowEnd      ? ".panel("
               : access.columnEnd ? ".slices("
                                  : "(") +
              printed(indices) + (access.rowStep ? " step " + printed(access.rowStep) : "") + ")";
    if (access.isTransposed)
      result += ".conjTrans()";
    if (access.region != Region::Full)
      result += "." + std::string(spelling(regionNames, access.region)) + "()";
    result += view("rows", access.rows) + view("cols", access.cols);
    if (access.within.first && !access.within.count)
      result += ".below(" + printed(access.within.first) + ")";
    else
      result += view("within", access.within);
    return result;
  }

  static std::string view(const std::string &what, const Strip &strip) {
    return strip.first ? "." + what + "(" + printed(strip.first) + ", " + printed(strip.count) + ")" : "";
  }

private:
  void line(const std::string &content) { text_ += std::string(2 * depth_, ' ') + content + '\n'; }

  static std::string join(const std::vector<std::string> &words) {
    std::string result;
    for (const std::string &word : words)
      result += (result.empty() ? "" : ", ") + word;
    return result;
  }

  static std::string inside(const TileAccess &access) {
    std::string result;
    for (const TileRange &range : access.inside)
      result += ".inside(" + printed({range.row, range.rowEnd, range.column, range.columnEnd}) + ")";
    return result;
  }

  static std::string printed(const ExprRef &expr) { return expr ? print(*expr) : "<missing>"; }

  static std::string printed(const std::vector<ExprRef> &exprs) {
    std::vector<std::string> texts;
    for (const ExprRef &expr : exprs)
      texts.push_back(printed(expr));
    return join(texts);
  }

  static std::string position(const Location &location) {
    return (location.file.empty() ? "" : quote(location.file) + ":") + std::to_string(location.line) + ":" +
           std::to_string(location.column);
  }
  static std::string at(const Location &location) { return location == Location() ? "" : " @" + position(location); }

  void printDeclarations(const Program &program) {
    if (program.slices > 1)
      line("slices " + std::to_string(program.slices));
    if (program.copies > 1)
      line("copies " + std::to_string(program.copies));
    for (const std::string &size : program.sizes) {
      std::string value;
      for (const auto &[name, expr] : program.sizeDefaults)
        if (name == size)
          value = " = " + printed(expr);
      line("size " + size + value);
    }
    for (const Matrix &matrix : program.matrices)
      line(declaration(matrix));
    for (const Scalar &scalar : program.scalars)
      if (!scalar.ofStage)
        line(declaration(scalar));
    for (const Requirement &requirement : program.requirements)
      line("requires(" + printed(requirement.condition) + ")" +
           (requirement.callee.empty() ? "" : " of " + requirement.callee));
    if (!program.check.empty()) {
      std::vector<std::string> arguments;
      for (const CheckArgument &argument : program.checkArguments)
        arguments.push_back(print(argument));
      line("check " + program.check + "(" + join(arguments) + ")");
    }
    for (const Kernel &kernel : program.kernels)
      line(declaration(kernel));
  }

  static std::string suffix(std::monostate) { return ""; }
  static std::string suffix(const Sliced &) { return " sliced"; }
  static std::string suffix(const InCopies &in) {
    const std::string copy = in.copy ? " copy " + std::to_string(in.copy) : "";
    if (!in.byRows)
      return copy;
    return copy + " by rows" + (in.byRows->kind == ExprKind::Int ? "" : "(" + print(*in.byRows) + ")");
  }
  static std::string suffix(const Dealt &dealt) {
    return " dealt(" + printed({dealt.rows, dealt.columns, dealt.steps}) + ")";
  }
  static std::string suffix(const Layers &layers) { return " layers of " + layers.of; }

  static std::string declaration(const Matrix &matrix) {
    std::vector<ExprRef> sizes{matrix.rows, matrix.cols};
    if (matrix.kind == MatrixKind::Workspace)
      sizes.push_back(matrix.tileRows);
    if (matrix.kind == MatrixKind::Workspace && !matrix.isCut())
      sizes.push_back(matrix.tileCols);
    std::string result = std::string(spelling(matrixKindNames, matrix.kind)) + "<" + letter(matrix.type) + "> " +
                         matrix.name + "(" + printed(sizes) + ")";
    if (!matrix.generator.empty())
      result += std::string(" input(") +
                (matrix.maker == Maker::Function   ? "extern "
                 : matrix.maker == Maker::Template ? "template "
                                                   : "") +
                matrix.generator +
                (matrix.generatorArguments.empty() ? "" : "(" + printed(matrix.generatorArguments) + ")") + ")";
    if (!matrix.madeIn.empty())
      result += " in(" + join(matrix.madeIn) + ")";
    return result + std::visit([](const auto &mapping) { return suffix(mapping); }, matrix.mapping) +
           at(matrix.location);
  }

  static std::string declaration(const Scalar &scalar) {
    std::vector<std::string> candidates;
    for (const std::int64_t candidate : scalar.candidates)
      candidates.push_back(std::to_string(candidate));
    return scalar.type + " " + scalar.name + (scalar.defaultValue ? " = " + print(*scalar.defaultValue) : "") +
           (candidates.empty() ? "" : " tune(" + join(candidates) + ")") + at(scalar.location);
  }

  static std::string declaration(const Kernel &kernel) {
    std::vector<std::string> parameters;
    for (const KernelParameter &parameter : kernel.parameters) {
      std::string text = parameter.name.empty() ? "_" : parameter.name;
      if (parameter.isPanel)
        text = "panel " + text;
      if (parameter.isTile || parameter.isPanel)
        text = std::string(spelling(accessNames, parameter.access)) + " " + text;
      parameters.push_back(text);
    }
    return "kernel " + kernel.name + (kernel.isTemplate ? "<T>" : "") + "(" + join(parameters) + ")" +
           (kernel.returnsInfo ? " returns info" : "") + (kernel.infoContinues ? " continues" : "") +
           (kernel.bound == Bound::Compute ? "" : " bound(memory)") +
           (kernel.flops ? " flops(" + print(*kernel.flops) + ")" : "") + conditions(kernel) + at(kernel.location);
  }

  static std::string conditions(const Kernel &kernel) {
    std::string text;
    for (const ExprRef &requirement : kernel.requirements)
      text += " requires(" + printed(requirement) + ")";
    for (const std::vector<std::string> &names : kernel.aliases)
      text += " alias(" + join(names) + ")";
    for (const KernelParameter &parameter : kernel.parameters)
      if (parameter.writtenIf)
        text += " writes(" + parameter.name + " if " + printed(parameter.writtenIf) + ")";
    for (const KernelParameter &parameter : kernel.parameters)
      if (parameter.addsIf)
        text += " sum(" + parameter.name + (parameter.addsIn.empty() ? "" : " in " + parameter.addsIn) + " if " +
                printed(parameter.addsIf) + ")";
    return text;
  }

  void printBlock(const Block &block) {
    for (const Statement &statement : block)
      std::visit([this](const auto &child) { printStatement(*child); }, statement);
  }

  void printNested(const Block &block) {
    ++depth_;
    printBlock(block);
    --depth_;
  }

  void printStatement(const Loop &loop) {
    line("for (int " + loop.variable + " = " + printed(loop.init) + "; " + printed(loop.condition) + "; " + step(loop) +
         ")" + at(loop.location) + " {");
    until_ && until_->loop == loop.variable ? printTested(loop.body) : printNested(loop.body);
    line("}");
  }

  void printTested(const Block &body) {
    ++depth_;
    for (std::size_t i = 0; i <= body.size(); ++i) {
      if (i == until_->position)
        line("if (" + print(*until_) + ") break;" + at(until_->location));
      if (i < body.size())
        std::visit([this](const auto &child) { printStatement(*child); }, body[i]);
    }
    --depth_;
  }

  static std::string step(const Loop &loop) {
    const std::string next = printed(loop.next);
    if (next == loop.variable + " + 1")
      return "++" + loop.variable;
    if (next == loop.variable + " - 1")
      return "--" + loop.variable;
    return loop.variable + " = " + next;
  }

  void printStatement(const If &branch) {
    const If *current = &branch;
    std::string opening;
    for (;;) {
      line(opening + "if (" + printed(current->condition) + ")" + at(current->location) + " {");
      printNested(current->then);
      const Block &otherwise = current->otherwise;
      const auto *chained = otherwise.size() == 1 ? std::get_if<std::unique_ptr<If>>(&otherwise.front()) : nullptr;
      if (!chained)
        break;
      current = chained->get();
      opening = "} else ";
    }
    if (!current->otherwise.empty()) {
      line("} else {");
      printNested(current->otherwise);
    }
    line("}");
  }

  static std::string argument(const Argument &argument) {
    if (const auto *access = std::get_if<TileAccess>(&argument))
      return std::string(spelling(accessNames, access->access)) + " " + tile(*access) + inside(*access);
    return printed(std::get<ExprRef>(argument));
  }

  void printStatement(const Task &task) {
    std::vector<std::string> arguments, releases;
    for (const Argument &each : task.arguments)
      arguments.push_back(argument(each));
    for (const TileAccess &each : task.releases)
      releases.push_back(each.access == Access::Read ? tile(each) + inside(each) : argument(each));
    std::string text = "task " + std::to_string(task.id) + " " + task.kernel + "(" + join(arguments) + ")";
    if (task.priority)
      text += (task.derivedPriority ? " derived priority(" : " priority(") + print(*task.priority) + ")";
    if (task.device != Device::Any)
      text += " device(" + std::string(spelling(deviceNames, task.device)) + ")";
    if (task.bound)
      text += " bound(" + std::string(spelling(boundNames, *task.bound)) + ")";
    if (task.mainOutput != defaultMainOutput(task))
      text += " at(argument " + std::to_string(task.mainOutput) + ")";
    if (!releases.empty())
      text += " release(" + join(releases) + ")";
    text += std::string(task.fits ? " fits" : "") + (task.distinct ? " distinct" : "");
    line(text + locations(task));
  }

  void printStatement(const Call &call) {
    line("call " + call.function + "(" + printed(call.arguments) + ")" + at(call.location));
  }

  void printFunction(const Function &function) {
    std::string text = "function " + function.name + "(" + join(function.parameters) + ") of " + function.algorithm;
    for (const MatrixPart &part : function.parts) {
      const auto &names = function.parameters;
      text += " part " + part.name + "(" +
              join({part.matrix, names[part.row], names[part.rowEnd], names[part.column], names[part.columnEnd]}) + ")";
    }
    for (const Requirement &requirement : function.requirements)
      text += " requires(" + printed(requirement.condition) + ")";
    line(text + at(function.location) + " {");
    printNested(function.body);
    line("}");
  }

  static std::string locations(const Task &task) {
    std::vector<Location> tiles;
    for (const Argument &argument : task.arguments)
      if (const auto *access = std::get_if<TileAccess>(&argument))
        tiles.push_back(access->location);
    for (const TileAccess &access : task.releases)
      tiles.push_back(access.location);
    bool allInherited = true;
    std::vector<std::string> texts;
    for (const Location &tile : tiles) {
      allInherited = allInherited && tile == task.location;
      if (tile == Location())
        texts.push_back("-");
      else
        texts.push_back(tile.line == task.location.line && tile.file == task.location.file ? std::to_string(tile.column)
                                                                                           : position(tile));
    }
    if (allInherited)
      return at(task.location);
    return " @" + position(task.location) + " (" + join(texts) + ")";
  }

  std::string text_;
  unsigned depth_ = 0;
  const Until *until_ = nullptr;
};
} // namespace

std::string print(const Program &program) { return Printer().run(program); }
std::string print(const TileAccess &access) { return Printer::tile(access); }

} // namespace hetc::ir
