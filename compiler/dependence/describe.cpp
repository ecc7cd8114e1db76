#include "compiler/dependence/describe.hpp"

#include "compiler/dependence/enumerations.hpp"
#include "compiler/ir/until.hpp"

namespace hetc::dependence {

std::string valueText(const ir::Program &program, const std::string &name, std::int64_t value) {
  if (const ir::Scalar *scalar = program.findScalar(name))
    for (const auto &[member, number] : enumMembers(scalar->type))
      if (number == value)
        return member;
  return std::to_string(value);
}

std::string sourceName(const ir::Program &program, const std::string &name) {
  if (name == ir::stageBegun)
    return "iterations of the loop that ends early";
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string::npos || digits == 0 || digits + 1 == name.size() || name[digits] != '_')
    return name;
  const std::string base = name.substr(0, digits);
  bool known = program.findScalar(base) || program.findMatrix(base);
  const auto search = [&](const ir::Block &block, auto &&self) -> void {
    for (const ir::Statement &statement : block)
      if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
        known |= (*loop)->variable == base;
        self((*loop)->body, self);
      } else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
        self((*branch)->then, self);
        self((*branch)->otherwise, self);
      }
  };
  search(program.body, search);
  return known ? base : name;
}

namespace {

/// "opA = Trans, k = 0". The numbers of tiles are said elsewhere, except sizes of zero, with which loops that write
/// are not entered.
std::string circumstances(const ir::Program &program, const Violation &violation) {
  std::string text;
  for (const auto &[size, tiles] : violation.tileCounts)
    if (tiles == 0 && violation.kind == Violation::Kind::Uninitialized)
      text += (text.empty() ? "" : ", ") + size + " = 0";
  for (const auto &[name, value] : violation.scalars)
    if (program.findScalar(name))
      text += (text.empty() ? "" : ", ") + sourceName(program, name) + " = " + valueText(program, name, value);
  for (const auto &[name, value] : violation.periods)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  for (const auto &[name, value] : violation.loops)
    text += (text.empty() ? "" : ", ") + sourceName(program, name) + " = " + std::to_string(value);
  return text;
}

const char *half(ir::Region region) {
  switch (region) {
  case ir::Region::Lower:
    return "the lower half of ";
  case ir::Region::Upper:
    return "the upper half of ";
  case ir::Region::Full:
    return "";
  }
  return "";
}

/// The tile exists in the grid but not in the triangle that is stored.
const char *triangle(const ir::Program &program, const Violation &violation) {
  const ir::Matrix *matrix = program.findMatrix(violation.matrix);
  const bool isInGrid =
      violation.row >= 0 && violation.row < violation.mt && violation.column >= 0 && violation.column < violation.nt;
  if (!matrix || !isInGrid || violation.kind != Violation::Kind::OutOfBounds)
    return "";
  return matrix->kind == ir::MatrixKind::Lower ? ", lower triangle only" : ", upper triangle only";
}
/// Whether the access is that of the test that may end a loop, which writes nothing.
bool isTest(const ir::Program &program, const Violation &violation) {
  bool found = false;
  forEachTask(program.body,
              [&](const ir::Task &task) { found |= task.id == violation.task && task.kernel == ir::testKernel; });
  return found;
}
} // namespace

std::string describe(const ir::Program &program, const Violation &violation) {
  const bool isOutside =
      violation.kind == Violation::Kind::OutOfBounds || violation.kind == Violation::Kind::OutOfRange;
  const std::string around = circumstances(program, violation);
  std::string text = around.empty() ? "" : std::string("for ").append(around).append(" ");
  text.append("(").append(violation.matrix).append(" has ").append(std::to_string(violation.mt)).append(" x ");
  text.append(std::to_string(violation.nt)).append(" tiles").append(triangle(program, violation)).append(") this ");
  text += violation.release                                              ? "releases "
          : violation.writes && isOutside && !isTest(program, violation) ? "writes "
                                                                         : "reads ";
  text += half(violation.region) + violation.matrix + "(" + std::to_string(violation.row) + ", " +
          std::to_string(violation.column) + ")";
  if (violation.kind == Violation::Kind::Released)
    return text + ", which an earlier task released";
  if (violation.kind == Violation::Kind::OutOfRange)
    return text + ", which is outside " + violation.range;
  return isOutside ? text : text + ", which no earlier task wrote";
}

} // namespace hetc::dependence
