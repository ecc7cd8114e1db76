#include "compiler/codegen/emitter.hpp"
#include "compiler/codegen/integers.hpp"
#include "compiler/ir/period.hpp"
#include "compiler/ir/sum.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

/// Whether a run is given it: neither a workspace of the algorithm's own nor one that is held over the parts of a run.
bool isCallers(const ir::Program &program, const ir::Matrix &matrix) {
  return program.isParameter(matrix) && !matrix.held;
}

void emitSizeLocals(std::ostream &out, const ir::Program &program, const std::vector<std::string> &used,
                    const std::string &indent) {
  for (const char *size : {"m", "n", "k"})
    if (std::find(used.begin(), used.end(), size) != used.end())
      out << indent << "const long " << size << " = values." << size << ";\n";
  declareScalars(out, program, used, "values.scalars", indent);
}

void emitShape(std::ostream &out, const ir::Program &program, const ir::Matrix &matrix, const char *name,
               const ir::ExprRef &size) {
  const std::vector<std::string> used = ir::variables(*size);
  out << "long " << name << "_" << matrix.name << "(" << (used.empty() ? "[[maybe_unused]] " : "")
      << "const rt::Values &values) {\n";
  emitSizeLocals(out, program, used, "  ");
  out << "  return " << Integers(program).value(size) << ";\n}\n";
}

/// Scalars, and the sizes that matrices (and workspaces cut as they are) will have in tiles of nb: what the sizes of
/// workspaces are made of.
void emitExtents(std::ostream &out, const ir::Program &program) {
  const Integers integers(program);
  std::vector<std::string> scalars;
  for (const ir::Scalar &scalar : program.scalars)
    scalars.push_back(scalar.name);
  declareScalars(out, program, scalars, "values.scalars", "  [[maybe_unused]] ");
  for (const ir::Matrix &matrix : program.matrices)
    if (matrix.kind != ir::MatrixKind::Workspace)
      out << "  [[maybe_unused]] const rt::Extents " << matrix.name << "{rows_" << matrix.name << "(values), cols_"
          << matrix.name << "(values), nb, values.period};\n";
  for (const ir::Matrix &matrix : program.matrices)
    if (matrix.isCut())
      out << "  [[maybe_unused]] const rt::Extents " << matrix.name << "{" << integers.value(matrix.rows) << ", "
          << integers.value(matrix.cols) << ", " << integers.value(matrix.tileRows) << ", values.period};\n";
}

/// The WorkspaceShape of a workspace parameter.
void emitWorkspaceShape(std::ostream &out, const ir::Program &program, const ir::Matrix &matrix) {
  const bool isCut = matrix.isCut();
  const ir::ExprRef &rows = matrix.rows, &cols = matrix.cols, &tileRows = matrix.tileRows,
                    &tileCols = isCut ? tileRows : matrix.tileCols;
  const auto product = [](const ir::ExprRef &tiles, const ir::ExprRef &each) {
    return ir::makeBinary(ir::ExprKind::Mul, tiles, each);
  };
  const std::pair<const char *, ir::ExprRef> functions[] = {
      {"tilesDown", isCut ? ir::makeExtent(matrix.name, ir::Extent::Mt) : rows},
      {"tilesAcross", isCut ? ir::makeExtent(matrix.name, ir::Extent::Nt) : cols},
      {"tileRows", tileRows},
      {"tileCols", tileCols},
      {"rows", isCut ? rows : product(rows, tileRows)},
      {"cols", isCut ? cols : product(cols, tileCols)}};
  std::string names;
  for (const auto &[function, size] : functions) {
    const std::string name = std::string(function) + "_" + matrix.name;
    out << "long " << name << "([[maybe_unused]] const rt::Values &values, [[maybe_unused]] long nb) {\n";
    emitExtents(out, program);
    out << "  return " << Integers(program).value(size) << ";\n}\n";
    names += (names.empty() ? "" : ", ") + name;
  }
  out << "constexpr rt::WorkspaceShape workspace_" << matrix.name << " = {" << names << "};\n";
}

/// The uses that all tasks together make of a matrix.
struct Uses {
  bool written = false, panels = false;
};
Uses usesOf(const ir::Program &program, const std::string &matrix) {
  Uses uses;
  forEachTask(program, [&](const ir::Task &task) {
    for (const ir::Argument &argument : task.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&argument); tile && tile->matrix == matrix) {
        uses.written |= tile->access != ir::Access::Read;
        uses.panels |= tile->rowEnd != nullptr;
      }
  });
  return uses;
}

/// Emits the matrix's row in the table of parameters.
void emitMatrix(std::ostream &out, const ir::Program &program, const ir::Matrix &matrix) {
  static const char *shapes[] = {"General", "Lower", "Upper", "General"};
  const bool workspace = matrix.kind == ir::MatrixKind::Workspace;
  const Uses uses = usesOf(program, matrix.name);
  out << "    {\"" << matrix.name << "\", tla::Shape::" << shapes[static_cast<int>(matrix.kind)]
      << ", rt::ElementType::" << static_cast<char>(std::toupper(ir::letter(matrix.type))) << ", ";
  if (workspace)
    out << "noElements, noElements, \"" << ir::print(*matrix.rows) << " x " << ir::print(*matrix.cols)
        << (matrix.isCut() ? "" : " tiles") << "\", \"\", nullptr, 0, ";
  else
    out << "rows_" << matrix.name << ", cols_" << matrix.name << ", \"" << ir::print(*matrix.rows) << " x "
        << ir::print(*matrix.cols) << "\", \"" << matrix.generator << "\", generator_" << matrix.name << ", "
        << matrix.generatorArguments.size() << ", ";
  out << (uses.written ? "true" : "false") << ", " << (uses.panels ? "true" : "false") << ", "
      << (workspace ? "&workspace_" + matrix.name : "nullptr") << ", " << (matrix.isSliced() ? "true" : "false") << ", "
      << (matrix.maker == ir::Maker::Hetc ? "nullptr" : "fill_" + matrix.name)
      << (matrix.byRows() ? ", byRows_" + matrix.name : "") << "},\n";
}

/// Emits the condition on scalars for which the matrix's tiles are dealt to copies of the nodes by rows.
void emitByRows(std::ostream &out, const ir::Program &program, const ir::Matrix &matrix) {
  const std::vector<std::string> used = ir::variables(*matrix.byRows());
  out << "bool byRows_" << matrix.name << "(" << (used.empty() ? "[[maybe_unused]] " : "")
      << "const rt::Values &values) {\n";
  emitSizeLocals(out, program, used, "  ");
  out << "  return " << Integers(program).value(matrix.byRows()) << ";\n}\n";
}

/// The elements of a block by the author's function.
void emitFill(std::ostream &out, const ir::Program &program, const ir::Matrix &matrix) {
  std::string arguments;
  for (std::size_t a = 0; a < matrix.generatorArguments.size(); ++a)
    arguments += ", arguments[" + std::to_string(a) + "]";
  const std::string element = elementName(program, matrix.type);
  out << "void fill_" << matrix.name
      << "(const rt::Block &block, unsigned long seed, [[maybe_unused]] const double *arguments) {\n  rt::fillBlock<"
      << element << ">(block, seed, [&](long i, long j, auto seed) { return ::" << matrix.generator
      << (matrix.maker == ir::Maker::Template ? "<" + element + ">" : "") << "(i, j, seed" << arguments
      << "); });\n}\n";
}

void emitMatrices(std::ostream &out, const ir::Program &program) {
  for (const ir::Matrix &matrix : program.matrices) {
    if (matrix.byRows() && isCallers(program, matrix))
      emitByRows(out, program, matrix);
    if (matrix.kind == ir::MatrixKind::Workspace)
      continue;
    emitShape(out, program, matrix, "rows", matrix.rows);
    emitShape(out, program, matrix, "cols", matrix.cols);
    out << "constexpr double generator_" << matrix.name << "[] = {";
    for (const ir::ExprRef &argument : matrix.generatorArguments)
      out << ir::print(*argument) << ", ";
    out << "0};\n";
    if (matrix.maker != ir::Maker::Hetc)
      emitFill(out, program, matrix);
  }
  bool workspaces = false;
  for (const ir::Matrix &matrix : program.matrices)
    if (matrix.kind == ir::MatrixKind::Workspace && isCallers(program, matrix)) {
      workspaces = true;
      emitWorkspaceShape(out, program, matrix);
    }
  if (workspaces)
    out << "long noElements(const rt::Values &) { return 0; }\n";
  out << "const rt::MatrixParameter matrices[] = {\n";
  for (const ir::Matrix &matrix : program.matrices)
    if (isCallers(program, matrix))
      emitMatrix(out, program, matrix);
  out << "};\n";
}

/// A constant as a ScalarValue for a parameter of that type.
std::string constantText(const std::string &type, const ir::ExprRef &value) {
  const std::string text = ir::print(*value);
  return type == "T" || type == "real" ? "rt::scalarValue(" + type + "(" + text + "))"
                                       : "{static_cast<long>(" + text + "), 0, 0}";
}

std::string defaultText(const ir::Scalar &scalar) {
  if (!scalar.defaultValue)
    return "false, {}";
  return "true, " + constantText(scalar.type, scalar.defaultValue);
}

void emitScalars(std::ostream &out, const ir::Program &program) {
  for (const ir::Scalar &scalar : program.scalars) {
    if (scalar.candidates.empty())
      continue;
    out << "constexpr int candidates_" << scalar.name << "[] = {";
    for (const std::int64_t candidate : scalar.candidates)
      out << (candidate == scalar.candidates.front() ? "" : ", ") << candidate;
    out << "};\n";
  }
  out << "[[maybe_unused]] const rt::ScalarParameter scalars[] = {\n";
  for (const ir::Scalar &scalar : program.scalars) {
    if (scalar.ofStage)
      continue;
    out << "    {\"" << scalar.name << "\", \"" << scalar.type << "\", " << defaultText(scalar);
    if (!scalar.candidates.empty())
      out << ", candidates_" << scalar.name << ", " << scalar.candidates.size();
    out << "},\n";
  }
  out << "    {},\n};\n";
}

/// The bytes of the algorithm's own workspaces.
void emitWorkspaceBytes(std::ostream &out, const ir::Program &program) {
  const auto own = [&](const ir::Matrix &matrix) { return !isCallers(program, matrix); };
  out << "double workspaceBytes([[maybe_unused]] const rt::Values &values, [[maybe_unused]] long nb) {\n";
  if (std::none_of(program.matrices.begin(), program.matrices.end(), own)) {
    out << "  return 0;\n}\n";
    return;
  }
  emitExtents(out, program);
  out << "  double bytes = 0;\n";
  for (const ir::Matrix &matrix : program.matrices) {
    if (!own(matrix))
      continue;
    std::vector<ir::ExprRef> factors;
    for (const ir::ExprRef &factor : {matrix.rows, matrix.cols, matrix.isCut() ? nullptr : matrix.tileRows,
                                      matrix.isCut() ? nullptr : matrix.tileCols})
      if (factor)
        factors.push_back(ir::makeCast("double", factor));
    out << "  bytes += sizeof(" << elementName(program, matrix.type) << ") * ("
        << Integers(program).value(ir::chain(nullptr, ir::ExprKind::Mul, factors)) << ");\n";
  }
  out << "  return bytes;\n}\n";
}

/// Parameter `name` of the run as the user's function takes it: a handle on the storage, or the scalar's value.
std::string parameterValue(const ir::Program &program, const std::string &name) {
  if (const ir::Matrix *matrix = program.findMatrix(name))
    return matrixTypeName(program, *matrix) + "(*arguments.matrices[" +
           std::to_string(matrix - program.matrices.data()) + "])";
  const ir::Scalar *scalar = program.findScalar(name);
  return "rt::scalar<" + scalarTypeName(*scalar) + ">(arguments.scalars[" +
         std::to_string(scalar - program.scalars.data()) + "])";
}

/// The author's workspaces have the period of his matrices.
std::string periodScope(const ir::Program &program) {
  return ir::asksPeriod(program) ? "  const tla::PeriodScope period(arguments.matrices[0]->period());\n" : "";
}

/// Algorithm::mapping, as its initializer.
std::string mappingOf(const ir::Program &program) {
  const std::string kind = "{rt::Mapping::Kind::";
  return program.slices > 1   ? kind + "Slices, " + std::to_string(program.slices) + "}"
         : program.copies > 1 ? kind + "Copies, " + std::to_string(program.copies) + "}"
         : program.isDealt()  ? kind + "Dealt}"
                              : "{}";
}

void emitSerial(std::ostream &out, const ir::Program &program, bool hasVersions) {
  out << "void serial(const rt::Arguments &arguments) {\n"
      << (checksArguments(program) ? "  requireArguments(arguments);\n" : "")
      << (program.functions.empty() ? "" : "  countTasks(arguments); // which fails where calls do not end\n");
  if (hasVersions)
    out << "  ownKernels().serial(arguments);\n";
  else
    emitSerialCall(out, program);
  out << "}\n";
}

/// A table of numbers of the run's matrices or scalars, see CheckCall.
void emitNumbers(std::ostream &out, const char *name, const std::vector<std::ptrdiff_t> &numbers) {
  out << "constexpr int " << name << "[] = {";
  for (const std::ptrdiff_t number : numbers)
    out << number << ", ";
  out << "-1};\n";
}

/// Where the arguments of the call in a check come from. Its initializer in the description.
std::string emitCheckCall(std::ostream &out, const ir::Program &program, const ir::Program *call) {
  if (!call)
    return "{}";
  const auto argument = std::ranges::find_if(program.checkArguments, &ir::CheckArgument::isCall);
  // Its parameters are op or nothing, those that the check names, and B or the residual.
  const auto &order = call->parameterOrder;
  const std::size_t first = order.size() - 1 - argument->arguments.size();
  std::string constants;
  std::ptrdiff_t constantCount = 0;
  const auto numbers = [&](const auto &parameters, const auto &known) {
    std::vector<std::ptrdiff_t> result;
    for (const auto &parameter : parameters) {
      const std::size_t place = static_cast<std::size_t>(std::ranges::find(order, parameter.name) - order.begin());
      if (place == order.size())
        continue; // a workspace of its own
      if (place < first || place + 1 == order.size())
        result.push_back(-1);
      else
        result.push_back(known(argument->arguments[place - first], parameter));
    }
    return result;
  };
  const auto matrices = numbers(call->matrices, [&](const ir::CheckArgument &given, const ir::Matrix &) {
    const std::ptrdiff_t number = program.findMatrix(given.name) - program.matrices.data();
    return given.kind == ir::CheckArgument::Kind::Before ? -2 - number : number;
  });
  const auto scalars = numbers(call->scalars, [&](const ir::CheckArgument &given, const ir::Scalar &parameter) {
    if (given.kind != ir::CheckArgument::Kind::Constant)
      return program.findScalar(given.name) - program.scalars.data();
    constants += constantText(parameter.type, given.value) + ", ";
    return -2 - constantCount++;
  });
  emitNumbers(out, "checkedMatrices", matrices);
  emitNumbers(out, "checkedScalars", scalars);
  if (constantCount)
    out << "const rt::ScalarValue checkedConstants[] = {" << constants << "};\n";
  return "{checked::generate, checkedMatrices, " + std::to_string(matrices.size()) + ", checkedScalars, " +
         std::to_string(scalars.size()) + ", " + (constantCount ? "checkedConstants" : "nullptr") + "}";
}

std::string sizeDefault(const ir::Program &program, const char *size) {
  for (const auto &[name, value] : program.sizeDefaults)
    if (name == size)
      return ir::print(*value);
  return "0";
}

/// ", value" for each of these members, which are the last ones, up to where the rest has its default.
struct Member {
  std::string value, usual;
};
std::string lastValues(std::vector<Member> members) {
  while (!members.empty() && members.back().value == members.back().usual)
    members.pop_back();
  std::string text;
  for (const Member &member : members)
    text += ", " + member.value;
  return text;
}

} // namespace

/// The call of the user's own function.
void emitSerialCall(std::ostream &out, const ir::Program &program) {
  out << periodScope(program) << "  ::" << program.name << "<T>(";
  for (const std::string &name : program.parameterOrder)
    out << (name == program.parameterOrder.front() ? "" : ", ") << parameterValue(program, name);
  out << ");\n";
}

void emitDescription(std::ostream &out, const ir::Program &program, const CxxOptions &options) {
  out << "\n// What the runtime must know about " << program.name << ".\n";
  emitMatrices(out, program);
  emitScalars(out, program);
  emitWorkspaceBytes(out, program);
  if (options.serial)
    emitSerial(out, program, !options.marches.empty());
  const std::string checkCall = emitCheckCall(out, program, options.checkedCall);
  const std::string &distribution = options.nodeGenerator.distribution;
  out << "const char *const checkArguments[] = {";
  for (const ir::CheckArgument &argument : program.checkArguments)
    out << "\"" << ir::print(argument) << "\", ";
  out << "nullptr};\n";
  std::string sizes;
  for (const std::string &size : program.sizes)
    sizes += size;
  const auto matrixCount = std::count_if(program.matrices.begin(), program.matrices.end(),
                                         [&](const ir::Matrix &matrix) { return isCallers(program, matrix); });
  const auto scalarCount = std::ranges::count(program.scalars, false, &ir::Scalar::ofStage);
  const bool asksPeriod = ir::asksPeriod(program) || (options.checkedCall && ir::asksPeriod(*options.checkedCall));
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  const std::string last = lastValues({{flag(asksPeriod), "false"},
                                       {flag(ir::asksTiles(program)), "false"},
                                       {program.until ? "&stages" : "nullptr", "nullptr"}});
  out << "const rt::Algorithm description = {\"" << program.name << "\", " << quoted(program.source)
      << ", rt::ElementType::" << static_cast<char>(std::toupper(ir::letter(program.type))) << ", matrices, "
      << matrixCount << ", scalars, " << scalarCount << ", \"" << sizes << "\", {" << sizeDefault(program, "m") << ", "
      << sizeDefault(program, "n") << ", " << sizeDefault(program, "k") << ", nullptr}, \"" << program.check
      << "\", checkArguments, " << program.checkArguments.size() << ", workspaceBytes, "
      << (program.until ? "generateAll" : "generate") << (options.serial ? ", serial, " : ", nullptr, ") << checkCall
      << ", " << (distribution.empty() ? "nullptr" : quoted(distribution)) << ", "
      << (options.nodeGenerator.program ? "generateNode" : "nullptr") << ", " << mappingOf(program) << ", "
      << (program.until ? "countAll" : "countTasks") << last << "};\n";
}

} // namespace hetc::codegen
