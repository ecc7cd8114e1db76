#include "compiler/codegen/emitter.hpp"
#include "compiler/codegen/integers.hpp"

#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/text.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

namespace hetc::codegen {

namespace {

constexpr const char *accessNames[] = {"Read", "ReadWrite", "Write"}; ///< enumerators of rt::Access

std::string typeName(const ir::Program &program, const ir::TileAccess &access) {
  return elementName(program, program.findMatrix(access.matrix)->type);
}

/// The tile argument `i` as it lies in memory, with nothing said of regions and views.
std::string storedTile(const ir::Program &program, const TaskPlan &plan, std::size_t i,
                       const std::string &region = "") {
  const auto &access = std::get<ir::TileAccess>(plan.task->arguments[i]);
  const std::string first = ir::print(*plan.firstAccess[i]), type = typeName(program, access);
  return access.columnEnd ? "rt::GatheredTile<" + type + ">(task, " + first + ", " + sliceCount(i) +
                                ", rt::Access::" + accessNames[static_cast<int>(access.access)] + ")"
                          : "task.tile<" + type + ">(" + first + region + ")";
}

/// The view that the kernel has of such a tile.
std::string viewOf(const View &view, const std::string &type, std::string tile) {
  if (!view.rows.empty())
    tile += ".rows(" + view.rows + ")";
  if (!view.cols.empty())
    tile += ".cols(" + view.cols + ")";
  if (view.within.empty())
    return tile;
  return (view.within.find(',') == std::string::npos ? "tla::split::rowsBelow<" : "tla::split::rowsWithin<") + type +
         ">(" + tile + ", " + view.within + ")";
}

std::string panelValue(const TaskPlan &plan, std::size_t i, const std::string &type) {
  const auto &access = std::get<ir::TileAccess>(plan.task->arguments[i]);
  const std::string place = ">(task, " + ir::print(*plan.firstAccess[i]) + ", " + panelLength(i);
  return access.columnEnd ? "rt::GatheredPanel<" + type + place + ", " + sliceCount(i) +
                                ", rt::Access::" + accessNames[static_cast<int>(access.access)] + ")"
                          : "rt::TaskPanel<" + type + place + ")";
}

/// The tile or panel argument `i` of the running task, as C++.
std::string tileValue(const ir::Program &program, const TaskPlan &plan, std::size_t i) {
  const auto &access = std::get<ir::TileAccess>(plan.task->arguments[i]);
  const std::string type = typeName(program, access);
  if (access.rowEnd)
    return panelValue(plan, i, type);
  static const char *regions[] = {"", ", tla::Region::Lower", ", tla::Region::Upper"};
  static const char *regionMembers[] = {"", ".lower()", ".upper()"};
  const auto region = static_cast<std::size_t>(access.region);
  const View &view = plan.views[i];
  std::string tile = storedTile(program, plan, i, access.isTransposed ? "" : regions[region]);
  if (access.isTransposed)
    tile = "tla::ArgumentTile<" + type + ">(" + tile + (access.access == ir::Access::Write ? ", false" : ", true") +
           (access.access == ir::Access::Read ? ", false)" : ", true)");
  return viewOf(view, type, tile) + (access.columnEnd || access.isTransposed ? regionMembers[region] : "");
}

/// Rows and columns of the argument. No element is touched: there may be none yet.
std::string tileSize(const ir::Program &program, const TaskPlan &plan, std::size_t i) {
  const auto &access = std::get<ir::TileAccess>(plan.task->arguments[i]);
  if (!access.isTransposed && !access.columnEnd)
    return "rt::sizeOf(" + tileValue(program, plan, i) + ")";
  const std::string first = ir::print(*plan.firstAccess[i]), type = typeName(program, access);
  const std::string size = access.columnEnd ? "rt::gatheredSize(task, " + first + ", " +
                                                  (access.rowEnd ? panelLength(i) : "1") + ", " + sliceCount(i) + ")"
                                            : "rt::sizeOf(" + storedTile(program, plan, i) + ")";
  if (!access.isTransposed && !access.isView())
    return size;
  const std::string shape = "rt::" + std::string(access.isTransposed ? "transposedShape" : "shape") + "<" + type +
                            ">(task.tile<" + type + ">(" + first + "), " + size + ")";
  return "rt::sizeOf(" + viewOf(plan.views[i], type, shape) + ")";
}

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// True when `text` contains `name` as a whole identifier.
bool mentions(const std::string &text, const std::string &name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if ((at == 0 || !isWordCharacter(text[at - 1])) &&
        (at + name.size() == text.size() || !isWordCharacter(text[at + name.size()])))
      return true;
  return false;
}

/// Names that the given arguments of the kernel call need: scalar parameters and captured integers.
std::set<std::string> namesUsed(const ir::Program &program, const TaskPlan &plan,
                                const std::vector<std::size_t> &arguments) {
  std::set<std::string> used;
  for (const std::size_t i : arguments) {
    if (plan.arguments[i])
      for (const std::string &name : ir::variables(*plan.arguments[i]))
        used.insert(name);
    else // panels, which stand behind those before them, and views
      for (const Capture &capture : plan.captures)
        if (mentions(tileValue(program, plan, i), capture.name))
          used.insert(capture.name);
  }
  return used;
}

/// Declares those names as local constants.
void emitLocals(std::ostream &out, const ir::Program &program, const TaskPlan &plan,
                const std::vector<std::size_t> &arguments) {
  const std::set<std::string> used = namesUsed(program, plan, arguments);
  const bool scalars = std::any_of(program.scalars.begin(), program.scalars.end(),
                                   [&](const ir::Scalar &scalar) { return used.count(scalar.name); });
  if (scalars)
    out << "  const rt::ScalarValue *const scalars = &task.parameters<rt::ScalarValue>();\n";
  declareScalars(out, program, {used.begin(), used.end()}, "scalars", "  ");
  for (std::size_t i = 0; i < plan.captures.size(); ++i)
    if (used.count(plan.captures[i].name))
      out << "  const int " << plan.captures[i].name << " = task.index(" << i << ");\n";
}

/// The transposed arguments whose tiles, as they lie in memory, the checks name.
std::vector<std::size_t> storedArguments(const TaskPlan &plan, const std::string &checks) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i)
    if (mentions(checks, storedName(i)))
      result.push_back(i);
  return result;
}

/// The kernel behind the checks, as a lambda over its own parameters' names: so that they cannot be confused with the
/// program's, and what is gathered or transposed for the call lives until its end.
void emitCheckedCall(std::ostream &out, const TaskPlan &plan, const std::string &checks) {
  std::string parameters, names;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const std::string name = parameterName(plan, i);
    parameters += (i ? ", const auto &" : "const auto &") + name;
    names += (i ? ", " : "") + name;
  }
  for (const std::size_t i : storedArguments(plan, checks))
    parameters += ", const auto &" + storedName(i);
  out << "  const auto checked__ = [&](" << parameters << ") {\n"
      << checks << "    return " << calledName(*plan.kernel) << "(" << names << ");\n  };\n";
}

/// How the functions of a task compute: with what it has captured, which are ints.
Integers integersOf(const ir::Program &program, const TaskPlan &plan) {
  Integers integers(program);
  for (const Capture &capture : plan.captures) {
    const IntegerRange range = integers.rangeOf(capture.value);
    if (capture.value->kind != ir::ExprKind::Var)
      integers.bind(capture.name, intRange.holds(range) ? range : intRange, capture.value);
  }
  return integers;
}

/// The scalar argument `i` for the kernel's parameter.
std::string scalarArgument(const Integers &integers, const TaskPlan &plan, std::size_t i) {
  const ir::KernelParameter &parameter = plan.kernel->parameters[i];
  const std::string name = parameter.name.empty() ? "argument " + std::to_string(i + 1) : parameter.name;
  return integers.asArgument(plan.arguments[i], parameter.number, name);
}

/// Whether the argument is a part of a tile that the kernel finds in the tile's own memory: not one of a copy.
bool isPart(const ir::Argument &argument) {
  const auto *tile = std::get_if<ir::TileAccess>(&argument);
  return tile && (tile->touched() != ir::Region::Full || (tile->isView() && !tile->columnEnd && !tile->isTransposed));
}

/// The argument as a trial of the call takes it.
std::string guardedArgument(const ir::Program &program, const TaskPlan &plan, const Integers &integers, std::size_t i) {
  if (plan.arguments[i])
    return "rt::GuardedValue(" + scalarArgument(integers, plan, i) + ")";
  const auto &access = std::get<ir::TileAccess>(plan.task->arguments[i]);
  const std::string type = typeName(program, access), value = tileValue(program, plan, i);
  if (access.rowEnd)
    return "rt::GuardedPanel<" + type + ">(" + value + ")";
  return "rt::GuardedTile<" + type + ">(" + storedTile(program, plan, i) + ", " + value + ", " +
         (isPart(plan.task->arguments[i]) ? "&part" + std::to_string(i) + "__" : "nullptr") + ")";
}

/// The trial of a call whose kernel may leave the parts of tiles that it is given. `called`: the kernel, or the checks
/// before it.
void emitGuard(std::ostream &out, const ir::Program &program, const TaskPlan &plan, const Integers &integers,
               const std::string &called) {
  std::string sizes, arguments;
  out << "  static rt::GuardedCalls guarded__;\n";
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    arguments += (i ? ", " : "") + guardedArgument(program, plan, integers, i);
    if (!isPart(plan.task->arguments[i]))
      continue;
    out << "  static constexpr rt::GuardedPart part" << i << "__ = {" << quoted(parameterName(plan, i)) << ", "
        << quoted(ir::print(std::get<ir::TileAccess>(plan.task->arguments[i]))) << "};\n";
    sizes = "rt::GuardedCalls::sizesOf<" + typeName(program, std::get<ir::TileAccess>(plan.task->arguments[i])) + ">(" +
            tileValue(program, plan, i) + (sizes.empty() ? ")" : ", " + sizes + ")");
  }
  out << "  if (guarded__.isDue(" << sizes
      << ")) [[unlikely]]\n    rt::requireInsideParts([&](const auto &...given__) { "
      << (plan.kernel->returnsInfo ? "return " + called + "(given__...); }, " : called + "(given__...); return 0; }, ")
      << arguments << ");\n";
}

/// The kernel's flops(...) over its own parameters' names: a lambda, so that they cannot be confused with the
/// program's.
void emitFlops(std::ostream &out, const ir::Program &program, const TaskPlan &plan) {
  std::vector<std::size_t> used;
  std::string parameters, values;
  const Integers integers = integersOf(program, plan);
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const std::string &name = plan.kernel->parameters[i].name;
    if (!ir::hasVariable(*plan.kernel->flops, name) && !ir::asksSizeOf(*plan.kernel->flops, name))
      continue;
    used.push_back(i);
    parameters += (parameters.empty() ? "" : ", ") + std::string("const auto &") + name;
    values += (values.empty() ? "" : ", ") +
              (plan.arguments[i] ? integers.value(plan.arguments[i]) : tileSize(program, plan, i));
  }
  out << "double flops_" << plan.name << "([[maybe_unused]] const rt::TaskView &task) {\n";
  emitLocals(out, program, plan, used);
  const bool complexType = program.type == ir::ElementType::C || program.type == ir::ElementType::Z;
  out << "  const auto flops = [](" << parameters << ") -> double { return " << ir::print(*plan.kernel->flops)
      << "; };\n  return " << (complexType ? "4 * " : "") << "flops(" << values << ");\n}\n";
}

} // namespace

/// Whether calls are tried before they run: those of the user's kernels, as it is known which elements standard kernels
/// reference (halves.hpp). Tiles that are copied for the call, as transposes and gathered slices are, cannot be copied
/// once more.
bool isGuarded(const TaskPlan &plan) {
  const auto isCopy = [](const ir::Argument &argument) {
    const auto *tile = std::get_if<ir::TileAccess>(&argument);
    return tile && (tile->columnEnd || tile->isTransposed);
  };
  return !isStandard(*plan.kernel) && std::ranges::any_of(plan.task->arguments, isPart) &&
         std::ranges::none_of(plan.task->arguments, isCopy);
}

static void emitRun(std::ostream &out, const ir::Program &program, const TaskPlan &plan) {
  out << "int run_" << plan.name << "(const rt::TaskView &task) {\n";
  if (plan.ownNumber >= 0) {
    out << "  return ownKernels().run[" << plan.ownNumber << "](task);\n}\n";
    return;
  }
  const Integers integers = integersOf(program, plan);
  std::vector<std::size_t> all(plan.arguments.size());
  std::iota(all.begin(), all.end(), 0);
  emitLocals(out, program, plan, all);
  const std::string checks = argumentChecks(program, plan);
  if (!checks.empty())
    emitCheckedCall(out, plan, checks);
  if (isGuarded(plan))
    emitGuard(out, program, plan, integers, checks.empty() ? calledName(*plan.kernel) : "checked__");
  out << "  " << (plan.kernel->returnsInfo ? "return " : "")
      << (checks.empty() ? calledName(*plan.kernel) : "checked__") << "(";
  for (std::size_t i = 0; i < plan.arguments.size(); ++i)
    out << (i ? ", " : "") << (plan.arguments[i] ? scalarArgument(integers, plan, i) : tileValue(program, plan, i));
  for (const std::size_t i : storedArguments(plan, checks))
    out << ", " << storedTile(program, plan, i);
  out << ");\n" << (plan.kernel->returnsInfo ? "" : "  return 0;\n") << "}\n";
}

/// The texts of a task's tiles, which its checks name.
static void emitArgumentTexts(std::ostream &out, const TaskPlan &plan) {
  out << "constexpr const char *arguments_" << plan.name << "[] = {";
  for (std::size_t i = 0; i < plan.task->arguments.size(); ++i) {
    const auto *tile = std::get_if<ir::TileAccess>(&plan.task->arguments[i]);
    out << (i ? ", " : "") << (tile ? quoted(ir::print(*tile)) : "nullptr");
  }
  out << "};\n";
}

/// The members of rt::TaskClass behind infoContinues, up to the last that has not its default.
static std::string placeMembers(const TaskPlan &plan, bool hasTexts) {
  static const char *devices[] = {"Any", "Host", "Gpu"};
  const bool userKernel = !isStandard(*plan.kernel);
  const bool gathers = std::ranges::any_of(plan.task->arguments, [](const ir::Argument &argument) {
    const auto *tile = std::get_if<ir::TileAccess>(&argument);
    return tile && (tile->columnEnd || tile->isTransposed);
  });
  if (plan.task->device == ir::Device::Any && !userKernel && !gathers && !hasTexts)
    return "";
  std::string members = std::string(", rt::TaskDevice::") + devices[static_cast<int>(plan.task->device)];
  if (userKernel || gathers || hasTexts)
    members += userKernel ? ", true" : ", false";
  if (gathers || hasTexts)
    members += gathers ? ", true" : ", false";
  return members + (hasTexts ? ", arguments_" + plan.name : "");
}

namespace {

/// The end of the string literal that begins at `begin`, behind its quotation mark.
std::size_t endOfLiteral(const std::string &text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// The name that stands for a word of the function `self`: one for it, and one for each captured integer by its
/// number. No other word has a dot.
std::string commonName(const std::string &word, const std::string &self, const std::vector<Capture> &captures) {
  if (word == self)
    return "self.";
  const auto capture = std::ranges::find(captures, word, &Capture::name);
  return capture == captures.end() ? word : "capture." + std::to_string(capture - captures.begin());
}

/// The text with common names, except in messages, which name what the author has written: functions of the same text
/// do the same, and say the same.
std::string withCommonNames(const std::string &text, const std::string &self, const std::vector<Capture> &captures) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '"') {
      end = endOfLiteral(text, at);
      result += text.substr(at, end - at);
    } else if (isWordCharacter(text[at])) {
      while (end < text.size() && isWordCharacter(text[end]))
        ++end;
      result += commonName(text.substr(at, end - at), self, captures);
    } else
      result += text[at];
    at = end;
  }
  return result;
}

} // namespace

std::string TaskFunctions::write(CxxWriter &out, const TaskPlan &plan, const std::string &text,
                                 const std::string &name) {
  const auto [known, isNew] = names_.emplace(withCommonNames(text, name, plan.captures), name);
  return isNew ? writeAlways(out, text, name) : known->second;
}

std::string TaskFunctions::writeAlways(CxxWriter &out, const std::string &text, const std::string &name) {
  out << text;
  return name;
}

std::string TaskFunctions::run(CxxWriter &out, const ir::Program &program, const TaskPlan &plan) {
  std::ostringstream text;
  emitRun(text, program, plan);
  return isGuarded(plan) && plan.ownNumber < 0 ? writeAlways(out, text.str(), "run_" + plan.name)
                                               : write(out, plan, text.str(), "run_" + plan.name);
}

std::string TaskFunctions::flops(CxxWriter &out, const ir::Program &program, const TaskPlan &plan) {
  std::ostringstream text;
  emitFlops(text, program, plan);
  return write(out, plan, text.str(), "flops_" + plan.name);
}

void TaskFunctions::emitClass(CxxWriter &out, const ir::Program &program, const TaskPlan &plan) {
  const std::string place = placeOf(program, plan.task->location);
  const CxxWriter::Statement statement(out, place);
  const std::string kernel = shortName(plan.kernel->name);
  const bool memoryBound = plan.task->bound.value_or(plan.kernel->bound) == ir::Bound::Memory;
  const bool hasTexts = !argumentChecks(program, plan).empty();
  out << "\n// " << place << "\n";
  const std::string run = this->run(out, program, plan),
                    flops = plan.kernel->flops ? this->flops(out, program, plan) : "nullptr";
  if (hasTexts)
    emitArgumentTexts(out, plan);
  out << "constexpr rt::TaskClass " << plan.name << " = {\"" << kernel << "\", " << quoted(place) << ", " << run << ", "
      << flops << ", 0, " << (memoryBound ? "true" : "false") << ", " << (plan.kernel->infoContinues ? "true" : "false")
      << placeMembers(plan, hasTexts) << "};\n";
}

} // namespace hetc::codegen
