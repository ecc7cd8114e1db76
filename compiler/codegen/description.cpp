#include "compiler/codegen/emitter.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

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
  out << "  return " << ir::print(*size) << ";\n}\n";
}

bool isWritten(const ir::Program &program, const std::string &matrix) {
  bool written = false;
  forEachTask(program.body, [&](const ir::Task &task) {
    for (const ir::Argument &argument : task.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&argument))
        written |= tile->matrix == matrix && tile->access != ir::Access::Read;
  });
  return written;
}

void emitMatrices(std::ostream &out, const ir::Program &program) {
  for (const ir::Matrix &matrix : program.matrices) {
    if (matrix.kind == ir::MatrixKind::Workspace)
      continue;
    emitShape(out, program, matrix, "rows", matrix.rows);
    emitShape(out, program, matrix, "cols", matrix.cols);
    out << "constexpr double generator_" << matrix.name << "[] = {";
    for (const ir::ExprRef &argument : matrix.generatorArguments)
      out << ir::print(*argument) << ", ";
    out << "0};\n";
  }
  static const char *shapes[] = {"General", "Lower", "Upper"};
  out << "const rt::MatrixParameter matrices[] = {\n";
  for (const ir::Matrix &matrix : program.matrices) {
    if (matrix.kind == ir::MatrixKind::Workspace)
      continue;
    const char letter = static_cast<char>(std::toupper(ir::letter(matrix.type)));
    out << "    {\"" << matrix.name << "\", tla::Shape::" << shapes[static_cast<int>(matrix.kind)]
        << ", rt::ElementType::" << letter << ", rows_" << matrix.name << ", cols_" << matrix.name << ", \""
        << ir::print(*matrix.rows) << " x " << ir::print(*matrix.cols) << "\", \"" << matrix.generator
        << "\", generator_" << matrix.name << ", " << matrix.generatorArguments.size() << ", "
        << (isWritten(program, matrix.name) ? "true" : "false") << "},\n";
  }
  out << "};\n";
}

std::string defaultText(const ir::Scalar &scalar) {
  if (!scalar.defaultValue)
    return "false, {}";
  const std::string value = ir::print(*scalar.defaultValue);
  if (scalar.type == "T" || scalar.type == "real")
    return "true, rt::scalarValue(" + scalar.type + "(" + value + "))";
  return "true, {static_cast<long>(" + value + "), 0, 0}";
}

void emitScalars(std::ostream &out, const ir::Program &program) {
  out << "[[maybe_unused]] const rt::ScalarParameter scalars[] = {\n";
  for (const ir::Scalar &scalar : program.scalars)
    out << "    {\"" << scalar.name << "\", \"" << scalar.type << "\", " << defaultText(scalar) << "},\n";
  out << "    {},\n};\n";
}

void emitWorkspaceBytes(std::ostream &out, const ir::Program &program) {
  out << "double workspaceBytes([[maybe_unused]] const rt::Values &values, [[maybe_unused]] long nb) {\n";
  std::vector<std::string> names;
  for (const ir::Scalar &scalar : program.scalars)
    names.push_back(scalar.name);
  const bool any = std::any_of(program.matrices.begin(), program.matrices.end(),
                               [](const ir::Matrix &matrix) { return matrix.kind == ir::MatrixKind::Workspace; });
  if (!any) {
    out << "  return 0;\n}\n";
    return;
  }
  declareScalars(out, program, names, "values.scalars", "  [[maybe_unused]] ");
  for (const ir::Matrix &matrix : program.matrices)
    if (matrix.kind != ir::MatrixKind::Workspace)
      out << "  [[maybe_unused]] const rt::Extents " << matrix.name << "{rows_" << matrix.name << "(values), cols_"
          << matrix.name << "(values), nb};\n";
  out << "  double bytes = 0;\n";
  for (const ir::Matrix &matrix : program.matrices)
    if (matrix.kind == ir::MatrixKind::Workspace)
      out << "  bytes += double(" << ir::print(*matrix.rows) << ") * double(" << ir::print(*matrix.cols)
          << ") * double(" << ir::print(*matrix.tileRows) << ") * double(" << ir::print(*matrix.tileCols)
          << ") * sizeof(" << elementName(program, matrix.type) << ");\n";
  out << "  return bytes;\n}\n";
}

/// The call of the user's own function, on handles to the arguments' storage.
void emitSerial(std::ostream &out, const ir::Program &program) {
  out << "void serial(const rt::Arguments &arguments) {\n  ::" << program.name << "<T>(";
  std::size_t matrix = 0, scalar = 0;
  bool first = true;
  for (const std::string &name : program.parameterOrder) {
    out << (first ? "" : ", ");
    first = false;
    if (const ir::Matrix *parameter = program.findMatrix(name))
      out << matrixTypeName(program, *parameter) << "(*arguments.matrices[" << matrix++ << "])";
    else {
      out << "rt::scalar<" << scalarTypeName(program.scalars[scalar]) << ">(arguments.scalars[" << scalar << "])";
      ++scalar;
    }
  }
  out << ");\n}\n";
}

std::string sizeDefault(const ir::Program &program, const char *size) {
  for (const auto &[name, value] : program.sizeDefaults)
    if (name == size)
      return ir::print(*value);
  return "0";
}

} // namespace

void emitDescription(std::ostream &out, const ir::Program &program) {
  out << "\n// What the runtime must know about " << program.name << ".\n";
  emitMatrices(out, program);
  emitScalars(out, program);
  emitWorkspaceBytes(out, program);
  emitSerial(out, program);
  out << "const char *const checkArguments[] = {";
  for (const std::string &argument : program.checkArguments)
    out << "\"" << argument << "\", ";
  out << "nullptr};\n";
  std::string sizes;
  for (const std::string &size : program.sizes)
    sizes += size;
  const auto matrixCount =
      std::count_if(program.matrices.begin(), program.matrices.end(),
                    [](const ir::Matrix &matrix) { return matrix.kind != ir::MatrixKind::Workspace; });
  out << "const rt::Algorithm description = {\"" << program.name << "\", " << quoted(program.source)
      << ", rt::ElementType::" << static_cast<char>(std::toupper(ir::letter(program.type))) << ", matrices, "
      << matrixCount << ", scalars, " << program.scalars.size() << ", \"" << sizes << "\", {"
      << sizeDefault(program, "m") << ", " << sizeDefault(program, "n") << ", " << sizeDefault(program, "k")
      << ", nullptr}, \"" << program.check << "\", checkArguments, " << program.checkArguments.size()
      << ", workspaceBytes, generate, serial};\n";
}

} // namespace hetc::codegen
