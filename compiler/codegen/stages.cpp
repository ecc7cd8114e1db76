// Of a program that an element ends: the workspaces that are held over its parts, its loop, and its test. And the whole
// of it for those who ask what a run may do at most.
#include "compiler/codegen/append.hpp"

#include "compiler/ir/until.hpp"

#include <algorithm>
#include <cassert>

namespace hetc::codegen {

namespace {

/// Each may ask for sizes of those before.
void emitMakeHeld(std::ostream &out, const ir::Program &program) {
  out << "tla::Storage *makeHeld([[maybe_unused]] const rt::Arguments &arguments, [[maybe_unused]] int number) {\n";
  std::vector<std::string> names;
  for (const ir::Scalar &scalar : program.scalars)
    names.push_back(scalar.name);
  declareScalars(out, program, names, "arguments.scalars", "  [[maybe_unused]] ");
  std::size_t parameter = 0, held = 0;
  for (const ir::Matrix &matrix : program.matrices) {
    if (matrix.held)
      out << "  if (number == " << held++ << ")\n    return " << newStorage(program, matrix) << ";\n";
    if (held < std::size_t(std::ranges::count(program.matrices, true, &ir::Matrix::held)))
      out << "  [[maybe_unused]] const " << matrixTypeName(program, matrix) << " " << matrix.name
          << "(*arguments.matrices[" << parameter++ << "]);\n";
  }
  out << "  return nullptr;\n}\n";
}

/// Iterations from 0 on.
void emitIterations(std::ostream &out, const ir::Program &program) {
  const ir::Until &until = *program.until;
  Integers integers(program);
  integers.bind("iteration", {0, INT32_MAX});
  const std::string place = placeOf(program, until.location);
  out << "int iterations(const rt::Arguments &arguments) {\n";
  declareHandles(out, program);
  out << "  return " << integers.asInt(until.iterations, place) << ";\n}\n"
      << "int variable([[maybe_unused]] const rt::Arguments &arguments, int iteration) {\n";
  declareHandles(out, program);
  const ir::ExprRef way = ir::makeBinary(ir::ExprKind::Mul, ir::makeVar("iteration"), ir::makeInt(until.step));
  out << "  return " << integers.asInt(ir::makeBinary(ir::ExprKind::Add, until.first, way), place) << ";\n}\n";
}

void emitTest(std::ostream &out, const ir::Program &program) {
  out << "bool isDone(const rt::Arguments &arguments) {\n";
  declareHandles(out, program);
  out << "  return " << ir::print(*program.until) << ";\n}\n";
}

/// The numbers, among held workspaces, of those of algorithms that the loop calls.
std::vector<int> workspacesOfCalls(const ir::Program &program) {
  std::vector<int> numbers;
  int held = 0;
  for (const ir::Matrix &matrix : program.matrices) {
    const int number = held;
    held += matrix.held;
    if (matrix.held && !matrix.madeIn.empty() && matrix.madeIn.front() == program.until->loop)
      numbers.push_back(number);
  }
  return numbers;
}

} // namespace

void emitStages(std::ostream &out, const ir::Program &program) {
  const auto held = std::ranges::count(program.matrices, true, &ir::Matrix::held);
  const auto value = std::ranges::find(program.matrices, program.until->matrix, &ir::Matrix::name);
  assert(value != program.matrices.end() && "the test asks a matrix of the program");
  out << "\n// Its parts: what is held over them, and its loop.\n";
  emitMakeHeld(out, program);
  emitIterations(out, program);
  emitTest(out, program);
  const std::vector<int> ofCalls = workspacesOfCalls(program);
  if (!ofCalls.empty()) {
    out << "constexpr int ofCalls[] = {";
    for (const int number : ofCalls)
      out << number << ", ";
    out << "};\n";
  }
  out << "constexpr rt::Stages stages = {" << program.matrices.size() - static_cast<std::size_t>(held) << ", " << held
      << ", makeHeld, iterations, variable, isDone, " << value - program.matrices.begin() << ", "
      << quoted(placeOf(program, program.until->location))
      << (ofCalls.empty() ? "" : ", ofCalls, " + std::to_string(ofCalls.size())) << "};\n"
      << "void generateAll(rt::Generator &tasks, const rt::Arguments &arguments) {\n"
      << "  rt::generateStages(tasks, arguments, stages, generate);\n}\n"
      << "long countAll(const rt::Arguments &arguments) { return rt::countStages(arguments, stages, countTasks); }\n";
}

} // namespace hetc::codegen
