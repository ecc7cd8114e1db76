// What the run function of a task checks before it calls the kernel: requirements, and outputs that are other arguments
// as well, as far as neither is proved.
#include "compiler/codegen/emitter.hpp"
#include "compiler/codegen/halves.hpp"
#include "compiler/codegen/integers.hpp"

#include "compiler/ir/text.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

/// The kernel's parameters that an expression names, in their order.
std::vector<std::size_t> namedParameters(const ir::Kernel &kernel, const ir::Expr &expr) {
  std::vector<std::size_t> result;
  const auto names = [&](const ir::Expr &node, const std::string &name, auto &&self) -> bool {
    const bool isName = node.kind == ir::ExprKind::Var || node.kind == ir::ExprKind::Extent;
    return (isName && node.text == name) ||
           std::ranges::any_of(node.operands, [&](const ir::ExprRef &operand) { return self(*operand, name, self); });
  };
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    if (names(expr, kernel.parameters[i].name, names))
      result.push_back(i);
  return result;
}

const ir::TileAccess *tileAt(const TaskPlan &plan, std::size_t i) {
  return std::get_if<ir::TileAccess>(&plan.task->arguments[i]);
}

/// How the program writes the tile, for messages: of the task's class, for tasks of the same checks to share them.
std::string tileText(std::size_t i) { return "task.argument(" + std::to_string(i) + ")"; }

std::string seen(const TaskPlan &plan, std::size_t i) {
  const std::string name = parameterName(plan, i);
  return tileAt(plan, i) ? "::tla::runtime::seen(" + quoted(name) + ", " + tileText(i) + ", " + name + ")"
                         : "::tla::runtime::seenScalar(" + quoted(name) + ", " + name + ")";
}

/// " && !(...)" on what the kernel writes: where all of that is empty the call does nothing, whatever it is given.
std::string unlessEmpty(const TaskPlan &plan) {
  std::string empty;
  for (std::size_t i = 0; i < plan.task->arguments.size(); ++i)
    if (const ir::TileAccess *tile = tileAt(plan, i); tile && tile->access != ir::Access::Read)
      empty += (empty.empty() ? "" : " && ") + std::string("::tla::runtime::isEmpty(") + parameterName(plan, i) + ")";
  return " && !(" + empty + ")";
}

std::string requirementCheck(const TaskPlan &plan, const ir::ExprRef &requirement) {
  const std::string text = ir::print(*requirement);
  std::string arguments;
  for (const std::size_t i : namedParameters(*plan.kernel, *requirement))
    arguments += (arguments.empty() ? "" : ", ") + seen(plan, i);
  return "    if (!(" + Integers(*plan.kernel).value(requirement) + ")" + unlessEmpty(plan) +
         ") [[unlikely]]\n      ::tla::runtime::failRequirement(" + quoted(text) + ", {" + arguments + "});\n";
}

/// Whether two tiles, of which the task writes one, may share elements for all that is known.
bool mayShare(const ir::Program &program, const TaskPlan &plan, std::size_t i, std::size_t j) {
  const ir::TileAccess &a = *tileAt(plan, i), &b = *tileAt(plan, j);
  const ir::Matrix &first = *program.findMatrix(a.matrix), &second = *program.findMatrix(b.matrix);
  const bool written = a.access != ir::Access::Read || b.access != ir::Access::Read;
  if (!written || first.type != second.type || ir::mayAlias(*plan.kernel, *plan.task, i, j))
    return false;
  if (a.matrix != b.matrix) // the host may give one matrix for two parameters
    return program.isParameter(first) && program.isParameter(second);
  // Of transposes of one tile the kernel sees one copy, and of that the regions.
  const bool bothTransposed = a.isTransposed && b.isTransposed;
  const ir::Region ofA = bothTransposed ? a.region : a.touched(), ofB = bothTransposed ? b.region : b.touched();
  const bool halves = ofA != ir::Region::Full && ofB != ir::Region::Full;
  return !plan.task->distinct && !(halves && ofA != ofB);
}

std::string sharingCheck(const TaskPlan &plan, std::size_t i, std::size_t j) {
  const std::size_t written = tileAt(plan, i)->access != ir::Access::Read ? i : j, other = i + j - written;
  const std::string first = parameterName(plan, written), second = parameterName(plan, other);
  // Transposes of one tile are of one copy, and those of two tiles of a matrix of two.
  const bool areCopies = tileAt(plan, i)->isTransposed && tileAt(plan, j)->isTransposed &&
                         tileAt(plan, i)->matrix == tileAt(plan, j)->matrix;
  const auto stored = [&](std::size_t k) {
    return tileAt(plan, k)->isTransposed && !areCopies ? storedName(k) : parameterName(plan, k);
  };
  return "    if (::tla::runtime::overlap(" + stored(written) + ", " + stored(other) +
         ")) [[unlikely]]\n      ::tla::runtime::failAlias(" + quoted(first) + ", " + tileText(written) + ", " +
         quoted(second) + ", " + tileText(other) + ");\n";
}

/// Where the call's options decide whether the kernel stays inside the half.
std::vector<GivenHalf> openHalves(const TaskPlan &plan) {
  std::vector<GivenHalf> halves = givenHalves(*plan.kernel, *plan.task);
  std::erase_if(halves, [&](const GivenHalf &half) {
    return half.verdict(*plan.kernel, *plan.task) != GivenHalf::Verdict::Open;
  });
  return halves;
}

std::string halfCheck(const TaskPlan &plan, const GivenHalf &half) {
  const std::string condition = ir::print(*half.staysIf);
  return "    if (!(" + condition + ")" + unlessEmpty(plan) + ") [[unlikely]]\n      ::tla::runtime::failHalf({" +
         quoted(parameterName(plan, half.argument)) + ", " + tileText(half.argument) + "}, " + quoted(condition) +
         ");\n";
}

} // namespace

std::string parameterName(const TaskPlan &plan, std::size_t argument) {
  const std::string &declared = plan.kernel->parameters[argument].name;
  return declared.empty() ? "argument__" + std::to_string(argument) : declared;
}

std::string storedName(std::size_t argument) { return "stored__" + std::to_string(argument); }

bool checksHalves(const TaskPlan &plan) { return !openHalves(plan).empty(); }

std::string argumentChecks(const ir::Program &program, const TaskPlan &plan) {
  std::string text;
  if (!plan.task->fits)
    for (const ir::ExprRef &requirement : plan.kernel->requirements)
      text += requirementCheck(plan, requirement);
  for (const GivenHalf &half : openHalves(plan))
    text += halfCheck(plan, half);
  const std::size_t count = plan.task->arguments.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      if (tileAt(plan, i) && tileAt(plan, j) && mayShare(program, plan, i, j))
        text += sharingCheck(plan, i, j);
  return text;
}

} // namespace hetc::codegen
