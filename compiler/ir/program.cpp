#include "compiler/ir/program.hpp"

#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <set>

namespace hetc::ir {

namespace {
constexpr char letters[] = {'s', 'd', 'c', 'z', 'i'};
constexpr const char *cxxNames[] = {"float", "double", "std::complex<float>", "std::complex<double>", "int"};

template <typename T> const T *findByName(const std::vector<T> &items, const std::string &name) {
  const auto found = std::ranges::find(items, name, &T::name);
  return found == items.end() ? nullptr : &*found;
}
} // namespace

char letter(ElementType type) { return letters[static_cast<int>(type)]; }

const char *cxxName(ElementType type) { return cxxNames[static_cast<int>(type)]; }

static ElementType realTypeOf(ElementType type) {
  return type == ElementType::C ? ElementType::S : type == ElementType::Z ? ElementType::D : type;
}

std::string castName(ElementType type, ElementType program) {
  static const char *names[] = {"float", "double", "complex_float", "complex_double", "int"};
  return type == program ? "T" : type == realTypeOf(program) ? "real" : names[static_cast<int>(type)];
}

std::optional<ElementType> castType(const std::string &name, ElementType program) {
  if (name == "T")
    return program;
  if (name == "real")
    return realTypeOf(program);
  for (const ElementType type : {ElementType::S, ElementType::D, ElementType::C, ElementType::Z, ElementType::I})
    if (name == castName(type, type == ElementType::I ? ElementType::S : ElementType::I))
      return type;
  return std::nullopt;
}

std::optional<ElementType> elementTypeFromLetter(char letter) {
  const auto found = std::ranges::find(letters, letter);
  if (found == std::end(letters))
    return std::nullopt;
  return static_cast<ElementType>(found - std::begin(letters));
}

TileAccess substitute(TileAccess access, const std::map<std::string, ExprRef> &replace) {
  forEachExpr(access, [&](ExprRef &expr) { expr = substitute(expr, replace); });
  return access;
}

bool Kernel::mayAlias(std::size_t parameter, std::size_t other) const {
  return std::ranges::any_of(aliases, [&](const std::vector<std::string> &group) {
    const auto has = [&](std::size_t index) { return std::ranges::find(group, parameters[index].name) != group.end(); };
    return has(parameter) && has(other);
  });
}

bool mayAlias(const Kernel &kernel, const Task &task, std::size_t argument, std::size_t other) {
  const auto &one = std::get<TileAccess>(task.arguments[argument]), &two = std::get<TileAccess>(task.arguments[other]);
  return one.isTransposed == two.isTransposed && kernel.mayAlias(argument, other);
}

std::vector<std::size_t> accessOrder(const Task &task) {
  std::vector<std::size_t> order = {task.mainOutput};
  for (const bool panels : {false, true})
    for (std::size_t i = 0; i < task.arguments.size(); ++i)
      if (const auto *tile = std::get_if<TileAccess>(&task.arguments[i]);
          tile && i != task.mainOutput && tile->isRun() == panels)
        order.push_back(i);
  return order;
}

bool Declarations::isDealt() const {
  return std::ranges::any_of(matrices, [](const Matrix &matrix) { return matrix.dealt(); });
}

const Matrix *Declarations::findMatrix(const std::string &name) const { return findByName(matrices, name); }
bool Declarations::hasWorkspacesOfCalls() const {
  return std::ranges::any_of(matrices, [](const Matrix &matrix) { return !matrix.madeIn.empty(); });
}

const Kernel *Declarations::findKernel(const std::string &name) const { return findByName(kernels, name); }
const Scalar *Declarations::findScalar(const std::string &name) const { return findByName(scalars, name); }
const Function *Program::findFunction(const std::string &name) const { return findByName(functions, name); }

bool Declarations::isParameter(const Matrix &matrix) const {
  return matrix.held || std::ranges::find(parameterOrder, matrix.name) != parameterOrder.end();
}

static Statement copyOf(const Loop &loop) {
  return std::make_unique<Loop>(
      Loop{loop.variable, loop.init, loop.condition, loop.next, copyOf(loop.body), loop.location});
}
static Statement copyOf(const If &branch) {
  return std::make_unique<If>(If{branch.condition, copyOf(branch.then), copyOf(branch.otherwise), branch.location});
}
static Statement copyOf(const Task &task) { return std::make_unique<Task>(task); }
static Statement copyOf(const Call &call) { return std::make_unique<Call>(call); }

Block copyOf(const Block &block) {
  Block result;
  for (const Statement &statement : block)
    result.push_back(std::visit([](const auto &child) { return copyOf(*child); }, statement));
  return result;
}

static void collectLoops(const Block &block, std::vector<std::string> &around,
                         std::map<unsigned, std::vector<std::string>> &loops) {
  for (const Statement &statement : block)
    if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement)) {
      around.push_back((*loop)->variable);
      collectLoops((*loop)->body, around, loops);
      around.pop_back();
    } else if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement)) {
      collectLoops((*branch)->then, around, loops);
      collectLoops((*branch)->otherwise, around, loops);
    } else if (const auto *task = std::get_if<std::unique_ptr<Task>>(&statement))
      loops[(*task)->id] = around;
}

std::map<unsigned, std::vector<std::string>> loopsAround(const Block &block) {
  std::vector<std::string> around;
  std::map<unsigned, std::vector<std::string>> loops;
  collectLoops(block, around, loops);
  return loops;
}

void dropUnusedKernels(Program &program) {
  std::set<std::string> used;
  forEachTask(program, [&](const Task &task) { used.insert(task.kernel); });
  std::erase_if(program.kernels, [&](const Kernel &kernel) { return !used.contains(kernel.name); });
}

bool asksTiles(const Block &block) {
  const auto asks = [](const ExprRef &expr) { return expr && asksTiles(*expr); };
  const auto argumentAsks = [&](const Argument &argument) {
    const auto *const tile = std::get_if<TileAccess>(&argument);
    if (!tile)
      return asks(std::get<ExprRef>(argument));
    bool any = false;
    forEachExpr(*tile, [&](const ExprRef &expr) { any |= asksTiles(*expr); });
    return any;
  };
  return std::ranges::any_of(block, [&](const Statement &statement) {
    if (const auto *const loop = std::get_if<std::unique_ptr<Loop>>(&statement))
      return asks((*loop)->init) || asks((*loop)->condition) || asks((*loop)->next) || asksTiles((*loop)->body);
    if (const auto *const branch = std::get_if<std::unique_ptr<If>>(&statement))
      return asks((*branch)->condition) || asksTiles((*branch)->then) || asksTiles((*branch)->otherwise);
    if (const auto *const call = std::get_if<std::unique_ptr<Call>>(&statement))
      return std::ranges::any_of((*call)->arguments, asks);
    return std::ranges::any_of(std::get<std::unique_ptr<Task>>(statement)->arguments, argumentAsks);
  });
}

bool asksTiles(const Program &program) {
  return asksTiles(program.body) ||
         std::ranges::any_of(program.functions, [](const Function &function) { return asksTiles(function.body); });
}

bool isDecidedByArguments(const Declarations &program, const Expr &expr) {
  if (expr.kind == ExprKind::Var)
    return program.findScalar(expr.text) && !program.findScalar(expr.text)->ofStage;
  if (expr.kind == ExprKind::Extent) {
    const Matrix *matrix = program.findMatrix(expr.text);
    return matrix && program.isParameter(*matrix) && !matrix->held && argumentCount(expr.extent) == 0;
  }
  return std::ranges::all_of(expr.operands,
                             [&](const ExprRef &operand) { return isDecidedByArguments(program, *operand); });
}

std::string print(const CheckArgument &argument) {
  std::string arguments;
  for (const CheckArgument &each : argument.arguments)
    arguments += (arguments.empty() ? "" : ", ") + print(each);
  switch (argument.kind) {
  case CheckArgument::Kind::Before:
    return "before(" + argument.name + ")";
  case CheckArgument::Kind::Constant:
    return print(*argument.value);
  case CheckArgument::Kind::Call:
    return argument.name + "(" + arguments + ")";
  default:
    return argument.name;
  }
}

} // namespace hetc::ir
