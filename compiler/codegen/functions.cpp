// Algorithms that call themselves in generated code. Each is a variable of the function that generates or counts tasks,
// so that it knows the names of matrices and scalars there, and may call all others.
#include "compiler/codegen/append.hpp"

namespace hetc::codegen {

namespace {

std::string nameOf(const std::string &function) { return "call__" + function; }

} // namespace

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

} // namespace hetc::codegen
