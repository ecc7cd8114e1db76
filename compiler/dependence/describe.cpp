#include "compiler/dependence/dependence.hpp"
#include "compiler/dependence/enumerations.hpp"

namespace hetc::dependence {

namespace {

std::string valueText(const ir::Program &program, const std::string &name, std::int64_t value) {
  if (const ir::Scalar *scalar = program.findScalar(name))
    for (const auto &[member, number] : enumMembers(scalar->type))
      if (number == value)
        return member;
  return std::to_string(value);
}

/// "opA = Trans, k = 0".
std::string circumstances(const ir::Program &program, const Violation &violation) {
  std::string text;
  for (const Bindings *bindings : {&violation.scalars, &violation.loops})
    for (const auto &[name, value] : *bindings)
      text += (text.empty() ? "" : ", ") + name + " = " + valueText(program, name, value);
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
} // namespace

std::string describe(const ir::Program &program, const Violation &violation) {
  const bool isUninitialized = violation.kind == Violation::Kind::Uninitialized;
  const std::string around = circumstances(program, violation);
  std::string text = around.empty() ? "" : std::string("for ").append(around).append(" ");
  text.append("(").append(violation.matrix).append(" has ").append(std::to_string(violation.mt)).append(" x ");
  text.append(std::to_string(violation.nt)).append(" tiles").append(triangle(program, violation)).append(") this ");
  text += violation.release ? "releases " : violation.writes && !isUninitialized ? "writes " : "reads ";
  text += half(violation.region) + violation.matrix + "(" + std::to_string(violation.row) + ", " +
          std::to_string(violation.column) + ")";
  return isUninitialized ? text + ", which no earlier task wrote" : text;
}

} // namespace hetc::dependence
