#include "compiler/codegen/header.hpp"

#include "compiler/codegen/cxx.hpp"
#include "compiler/codegen/emitter.hpp"

#include <algorithm>
#include <optional>

namespace hetc::codegen {

namespace {

/// The name that T or real stands for in this instance; any other name stays.
std::string concreteName(const std::string &name, ir::ElementType type) {
  const bool single = type == ir::ElementType::S || type == ir::ElementType::C;
  if (name == "real")
    return single ? "float" : "double";
  return name == "T" ? ir::cxxName(type) : name;
}

/// The same expression with T and real by their names, outside of any template.
ir::ExprRef concrete(const ir::ExprRef &expr, ir::ElementType type) {
  auto copy = std::make_shared<ir::Expr>(*expr);
  if (expr->kind == ir::ExprKind::Cast)
    copy->text = concreteName(expr->text, type);
  for (ir::ExprRef &operand : copy->operands)
    operand = concrete(operand, type);
  return copy;
}

class HeaderEmitter {
public:
  HeaderEmitter(std::ostream &out, const ir::Program &program) : out_(out), program_(program) {
    const auto &names = program.parameterOrder;
    while (std::find(names.begin(), names.end(), executor_) != names.end())
      executor_ += "_";
  }

  void emit() {
    emitComment();
    out_ << call("inline tla::runtime::Outcome " + program_.name + "(", parameters(), ") {") << "\n"
         << call("  return tla::runtime::call(",
                 {executor_, descriptionSymbol(program_), "{" + matrices() + "}", "{" + scalars() + "}"}, ");")
         << "\n}\n";
  }

private:
  void emitComment() {
    std::istringstream lines(program_.documentation);
    for (std::string line; std::getline(lines, line);)
      out_ << "///" << (line.empty() ? "" : " ") << line << "\n";
    std::string shapes;
    for (const std::string &name : program_.parameterOrder)
      if (const ir::Matrix *matrix = program_.findMatrix(name))
        shapes += (shapes.empty() ? "" : ", ") + name + " is " + size(*matrix->rows) + " x " + size(*matrix->cols) +
                  tiles(*matrix);
    if (!shapes.empty())
      out_ << "/// " << shapes << ".\n";
  }

  /// "head(a, b)", on several lines when it is long.
  static std::string call(const std::string &head, const std::vector<std::string> &arguments, const char *tail) {
    std::string flat = head, broken = head;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      flat += (i ? ", " : "") + arguments[i];
      broken += (i ? ",\n      " : "\n      ") + arguments[i];
    }
    return (flat.size() <= 118 ? flat : broken) + tail;
  }

  /// A workspace's: its size is counted in tiles, or in elements when the tiles at its edges are smaller.
  static std::string tiles(const ir::Matrix &matrix) {
    if (!matrix.tileRows)
      return "";
    const std::string rows = size(*matrix.tileRows);
    return matrix.tileCols ? " tiles of " + rows + " x " + size(*matrix.tileCols) : " in tiles of " + rows;
  }

  static std::string size(const ir::Expr &expr) {
    return expr.operands.empty() ? ir::print(expr) : "(" + ir::print(expr) + ")";
  }

  std::vector<std::string> parameters() const {
    std::vector<std::string> list = {"tla::runtime::Executor &" + executor_};
    const auto &names = program_.parameterOrder;
    std::size_t required = names.size(); // only the last parameters may have defaults in C++
    while (required > 0 && defaultOf(names[required - 1]))
      --required;
    for (std::size_t i = 0; i < names.size(); ++i)
      list.push_back(parameterType(names[i]) + " " + names[i] + (i < required ? "" : " = " + *defaultOf(names[i])));
    return list;
  }

  std::string parameterType(const std::string &name) const {
    static const char *kinds[] = {"Matrix", "LowerMatrix", "UpperMatrix", "Workspace"};
    if (const ir::Matrix *matrix = program_.findMatrix(name))
      return "tla::" + std::string(kinds[static_cast<int>(matrix->kind)]) + "<" + ir::cxxName(matrix->type) + ">";
    return concreteName(scalarTypeName(*program_.findScalar(name)), program_.type);
  }

  /// The default of a scalar as C++ text at namespace scope, where no enumerator is visible.
  std::optional<std::string> defaultOf(const std::string &name) const {
    const ir::Scalar *scalar = program_.findScalar(name);
    if (!scalar || !scalar->defaultValue)
      return std::nullopt;
    const ir::Expr &value = *scalar->defaultValue;
    const std::string type = parameterType(name);
    if (value.kind == ir::ExprKind::Enum)
      return type + "::" + value.text;
    const auto integer = ir::evaluate(value, {});
    const std::string text =
        integer ? std::to_string(*integer) : ir::print(*concrete(scalar->defaultValue, program_.type));
    return type == "int" ? text : type + "(" + text + ")";
  }

  std::string matrices() const {
    std::string list;
    for (const std::string &name : program_.parameterOrder)
      if (program_.findMatrix(name))
        list += (list.empty() ? "&" : ", &") + name + ".storage()";
    return list;
  }

  std::string scalars() const {
    std::string list;
    for (const ir::Scalar &scalar : program_.scalars)
      if (!scalar.ofStage)
        list += (list.empty() ? "tla::runtime::scalarValue(" : ", tla::runtime::scalarValue(") + scalar.name + ")";
    return list;
  }

  std::ostream &out_;
  const ir::Program &program_;
  std::string executor_ = "executor";
};

bool isComplex(const ir::Program &program) {
  return program.type == ir::ElementType::C || program.type == ir::ElementType::Z;
}

} // namespace

std::string emitHeader(const std::vector<ir::Program> &programs) {
  const ir::Program &first = programs.front();
  std::ostringstream out;
  out << "// " << first.name << ", generated by hetc from " << fileName(first.source) << "; changes will be lost.\n"
      << "//\n"
         "// The matrices are the caller's: handles on their tiles or on a LAPACK array, all with tiles of one size.\n"
         "// Throws tla::UsageError when they do not fit; how the run ended is in the Outcome.\n"
         "#pragma once\n\n";
  if (std::any_of(programs.begin(), programs.end(), isComplex))
    out << "#include <complex>\n";
  out << "#include <tla/generated/call.hpp>\n\n";
  for (const ir::Program &program : programs)
    out << "extern \"C\" const tla::runtime::Algorithm " << descriptionSymbol(program) << ";\n";
  out << "\nnamespace hetc {\n";
  for (const ir::Program &program : programs) {
    out << "\n";
    HeaderEmitter(out, program).emit();
  }
  out << "\n} // namespace hetc\n";
  return out.str();
}

} // namespace hetc::codegen
